import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { remoteForm, unfitForRemote } from "../../../../scripts/database/remote-form.ts";

const folder = mkdtempSync(join(tmpdir(), "remote-form-"));
afterAll(() => rmSync(folder, { recursive: true }));

function complaintsAbout(sql: string): string[] {
  const path = join(folder, "0001_next.sql");
  writeFileSync(path, sql);
  return unfitForRemote(path).map((complaint) => complaint.replace(`${path}: `, ""));
}

it("writes a trigger on one line, without comments, and with every CASE in parentheses", () => {
  const trigger = `CREATE TRIGGER sells BEFORE INSERT ON items
begin -- the case's end
  SELECT CASE WHEN new.kind = 'the  end ;' THEN CASE NEW.n WHEN 1 THEN 2 END ELSE (case when 1 then 2 end) END; /* end */
  SELECT iif(1, CASE 1 WHEN 1 THEN 2 END, 3);
end`;
  expect(remoteForm(trigger)).toBe(
    "CREATE TRIGGER sells BEFORE INSERT ON items BEGIN SELECT (CASE WHEN new.kind = 'the  end ;' THEN " +
      "(CASE NEW.n WHEN 1 THEN 2 END) ELSE (CASE when 1 then 2 END) END); SELECT iif(1, CASE 1 WHEN 1 THEN 2 END, 3); END",
  );
});

it.each([
  ["CASE before the end", "CREATE TRIGGER sells AFTER INSERT ON items BEGIN SELECT CASE 1 WHEN 1 THEN 2 END; END;"],
  ["two lines", "CREATE TRIGGER sells AFTER INSERT ON items\nBEGIN SELECT 1; END;"],
  ["a comment", "CREATE TRIGGER sells AFTER INSERT ON items BEGIN SELECT 1; /* one */ END;"],
  ["lower case", "CREATE TRIGGER sells AFTER INSERT ON items begin SELECT 1; END;"],
  ["a text with END", "create trigger `sells` AFTER INSERT ON items BEGIN SELECT 'the end ;'; END;"],
])("names a trigger that the remote database would cut: %s", (_, trigger) => {
  expect(complaintsAbout(`SELECT 1;\n${trigger}\nSELECT 2;`)).toEqual([
    expect.stringContaining("D1 would cut trigger sells"),
  ]);
});

it("refuses CR, and comments between statements with quotes or semicolons", () => {
  expect(complaintsAbout("SELECT 1;\r\n")).toHaveLength(1);
  expect(complaintsAbout("-- the shop's end\nSELECT 1;")).toEqual([
    "remove quotes and semicolons from the comment -- the shop's end",
  ]);
  expect(complaintsAbout("-- contract: carts.note, compatible since 1.1.0\nSELECT '--;';")).toEqual([]);
  expect(
    complaintsAbout("CREATE TRIGGER sells AFTER INSERT ON items BEGIN SELECT (CASE 1 WHEN 1 THEN 2 END); END;"),
  ).toEqual([]);
});
