import { aNumber, type Handler, ok } from "../../payments/stand-in/http.ts";

// The REST interface of VIES, after its description (swagger_publicVAT.yaml of ec.europa.eu/taxation_customs/vies). A number that
// contains 999 is invalid, and one that contains 555 belongs to a member state that does not answer.

const names: Record<string, string> = {
  FR: "SOCIETE DES LAMPES SAS",
  BE: "BRASSERIE DU PORT",
  DE: "---",
  IT: "LAMPADE SRL",
};

const failed = (error: string) => ok({ actionSucceed: false, errorWrappers: [{ error }] });

export const viesHandlers: Record<string, Handler> = {
  "POST /vies/check-vat-number": ({ body }) => {
    const { countryCode, vatNumber, requesterMemberStateCode, requesterNumber } = JSON.parse(body);
    if (!/^[A-Z]{2}$/.test(countryCode) || !vatNumber) return failed("INVALID_INPUT");
    if (requesterMemberStateCode === "XX") return failed("INVALID_REQUESTER_INFO");
    if (vatNumber.includes("555")) return failed("MS_UNAVAILABLE");
    const valid = !vatNumber.includes("999");
    return ok({
      ...{ countryCode, vatNumber, requestDate: new Date().toISOString(), valid },
      requestIdentifier: valid && requesterNumber ? `WAPIAAAA${aNumber()}` : "",
      ...{ name: valid ? (names[countryCode] ?? "---") : "---", address: "---" },
      ...{
        traderName: "---",
        traderStreet: "---",
        traderPostalCode: "---",
        traderCity: "---",
        traderCompanyType: "---",
      },
      ...{ traderNameMatch: "NOT_PROCESSED", traderStreetMatch: "NOT_PROCESSED", traderCityMatch: "NOT_PROCESSED" },
    });
  },
};
