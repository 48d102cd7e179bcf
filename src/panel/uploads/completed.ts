import * as z from "zod";
import { Sha256 } from "../../files/admin-schemas.ts";

/** What the browser computed of the whole file while it sent it. */
export const CompletedUpload = z.strictObject({ sha256: Sha256 });
