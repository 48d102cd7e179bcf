import { IdParam } from "../../domain/fields.ts";
import { FileUpdate, fromForm, NewFile, NewVersion } from "../../downloads/files/admin-schemas.ts";
import { answerContent } from "../../downloads/files/delivery/answer-content.ts";
import { receiveUpload } from "../../downloads/files/uploads/upload-form.ts";
import { addVersion, changeFile, createFile, removeFile, requireFile } from "../../downloads/files/write.ts";
import { writeContextOf } from "../../platform/auth/caller.ts";
import { administer } from "../../platform/auth/gates.ts";
import { runToCompletion } from "../../platform/http/background.ts";
import { validate } from "../../platform/http/validate.ts";
import { redirectWithFlash } from "../flash.ts";
import { submitFile } from "../forms/attempt.ts";
import { kindsOf } from "../forms/conversion.ts";
import { ifMatchOf } from "../forms/edit.ts";
import { recordPages } from "../record-pages.ts";
import { filePage, filesPage, newFilePage, storedFileInputs } from "./pages.tsx";

const FILES_PATH = "/admin/files";

export const filePages = recordPages("/files", {
  reads: administer("files:read_all"),
  writes: administer("files:write"),
  listPage: filesPage,
  newPage: newFilePage,
  rowPage: filePage,
  forms: {
    "": async (c, id, sent) => {
      const change = sent.readChange(FileUpdate, kindsOf(storedFileInputs));
      const { name } = await changeFile(writeContextOf(c), { id, change, ifMatch: sent.ifMatch });
      return `${name} was saved.`;
    },
    "/delete": async (c, id, { ifMatch }) => {
      await removeFile(writeContextOf(c), { id, ifMatch });
      return redirectWithFlash(c, FILES_PATH, "The file was deleted.");
    },
  },
})
  .post("/files", administer("files:write"), async (c) =>
    submitFile(
      c,
      (failed) => newFilePage(c, failed),
      async (values) => {
        const upload = receiveUpload(
          c.req.raw,
          (fields, file) => createFile(writeContextOf(c), { ...fromForm(NewFile, fields), file }),
          values,
        );
        const { id, name } = await runToCompletion(c, upload);
        return redirectWithFlash(c, `${FILES_PATH}/${id}`, `${name} was uploaded.`);
      },
    ),
  )
  .get("/files/:id/content", administer("files:read_all"), validate("param", IdParam), async (c) => {
    const file = await requireFile(c.var.db, c.req.valid("param").id);
    return answerContent(c.env.FILES, file, c.req.raw);
  })
  .post("/files/:id/versions", administer("files:write"), validate("param", IdParam), async (c) => {
    const { id } = c.req.valid("param");
    return submitFile(
      c,
      (failed) => filePage(c, id, failed),
      async (values) => {
        const upload = receiveUpload(
          c.req.raw,
          ({ if_match, overwrite, ...fields }, file) => {
            const ifMatch = ifMatchOf(values);
            return addVersion(writeContextOf(c), { id, ...fromForm(NewVersion, fields), file, ifMatch });
          },
          values,
        );
        const { name, version } = await runToCompletion(c, upload);
        return redirectWithFlash(c, `${FILES_PATH}/${id}`, `${name} is now version ${version}.`);
      },
    );
  });
