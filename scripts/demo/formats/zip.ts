import { crc32 } from "node:zlib";

type Entry = { name: string; bytes: Uint8Array };

const signature = { local: 0x04034b50, central: 0x02014b50, end: 0x06054b50 };
/** 1 January 2024, in MS-DOS format. */
const date = ((2024 - 1980) << 9) | (1 << 5) | 1;
const version = 20;
const utf8Names = 1 << 11;

/** The fields that a local header and a central directory entry share. */
const common = ({ name, bytes }: Entry) => {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(version, 0);
  fields.writeUInt16LE(utf8Names, 2);
  fields.writeUInt16LE(date, 8);
  fields.writeUInt32LE(crc32(bytes), 10);
  fields.writeUInt32LE(bytes.length, 14);
  fields.writeUInt32LE(bytes.length, 18);
  fields.writeUInt16LE(Buffer.byteLength(name), 22);
  return fields;
};

const uint = (value: number, size: 2 | 4) => {
  const bytes = Buffer.alloc(size);
  bytes.writeUIntLE(value, 0, size);
  return bytes;
};

/** An archive whose entries are stored, not compressed. */
export const zip = (entries: Entry[]): Uint8Array => {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const name = Buffer.from(entry.name);
    const fields = common(entry);
    const local = Buffer.concat([uint(signature.local, 4), fields, name, entry.bytes]);
    directory.push(uint(signature.central, 4), uint(version, 2), fields, Buffer.alloc(10), uint(offset, 4), name);
    locals.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = [
    uint(signature.end, 4),
    Buffer.alloc(4),
    uint(entries.length, 2),
    uint(entries.length, 2),
    uint(central.length, 4),
    uint(offset, 4),
    Buffer.alloc(2),
  ];
  return Buffer.concat([...locals, central, ...end]);
};
