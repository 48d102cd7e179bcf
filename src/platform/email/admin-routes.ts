import { Hono } from "hono";
import * as z from "zod";
import { notFound } from "../../domain/errors.ts";
import { languages } from "../../domain/language.ts";
import { writeContextOf } from "../auth/caller.ts";
import { type AppEnv, administrators } from "../auth/gates.ts";
import { list, ok } from "../http/envelope.ts";
import { PageQuery, pageOfAll } from "../http/pagination.ts";
import { answers, lists } from "../http/route-description.ts";
import { validate, validateAll } from "../http/validate.ts";
import { changeEmailText, EmailText, EmailTextUpdate, listEmailTexts, toEmailText, writtenTemplates } from "./texts.ts";

const TextParams = z.object({ template: z.string(), language: z.enum(languages) });

export const emailTextsAdmin = new Hono<AppEnv>()
  .get(
    "/email-texts",
    administrators,
    validate("query", PageQuery),
    lists("listEmailTexts", "List the texts of e-mails to buyers", EmailText),
    async (c) => {
      const page = pageOfAll(c.req.valid("query"), await listEmailTexts(c.var.db));
      return list(c, "E-mail texts", page, (text) => text);
    },
  )
  .put(
    "/email-texts/:template/:language",
    administrators,
    validateAll({ param: TextParams, json: EmailTextUpdate }),
    answers("updateEmailText", "Update the texts of an e-mail in a language", EmailText),
    async (c) => {
      const { template: name, language } = c.req.valid("param");
      const template = writtenTemplates.find((each) => each === name);
      if (!template) throw notFound(`The e-mail ${name}`);
      const own = await changeEmailText(writeContextOf(c), { template, language, change: c.req.valid("json") });
      return ok(c, "E-mail text updated", toEmailText(template, language, own));
    },
  );
