import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { Prisma } from '../../src/platform/prisma-client/client.ts';

const TABLES = Object.values(Prisma.ModelName);
const CLIENT_WRITES = /\.(\w+)\s*\.(?:create|update|upsert|delete)(?:Many)?(?:AndReturn)?\(/g;
const SQL_WRITES = /(?:INSERT INTO|UPDATE|DELETE FROM)\s+"(\w+)"/g;
/** The removal of old rows and a claim of rows name their table as a field. */
const NAMED = /\b(?:removeOld|claim)(?:<[^(]*>)?\(\s*\w+,\s*\{\s*table: '(\w+)'/g;

const tableOf = (name: string) => TABLES.find((table) => table.toLowerCase() === name.toLowerCase());

/** A part of a room with a README of its own owns its tables by itself: `cameras/devices`. */
function roomOf(path: string): string {
  const [room, part] = path.split('/');
  return existsSync(`src/${room}/${part}/README.md`) ? `${room}/${part}` : room!;
}

/** For each table the rooms whose code writes it. */
function writers(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>(TABLES.map((table) => [table, new Set()]));
  for (const path of readdirSync('src', { recursive: true, encoding: 'utf8' })) {
    if (!path.endsWith('.ts') || path.startsWith('platform/prisma-client/')) continue;
    const room = roomOf(path);
    const text = readFileSync(`src/${path}`, 'utf8');
    for (const pattern of [CLIENT_WRITES, SQL_WRITES, NAMED]) {
      for (const [, name] of text.matchAll(pattern)) {
        const table = tableOf(name!);
        if (table) found.get(table)!.add(room);
      }
    }
  }
  return found;
}

/** The list of `src/README.md`: for each table its owner, and the other rooms with a reason. */
function documented(): Map<string, Set<string>> {
  const section = /## Tables\n([\s\S]*?)\n## /.exec(readFileSync('src/README.md', 'utf8'))![1]!;
  const rows = [...section.matchAll(/^\| ([A-Z][\w, ]*) \| ([\w/]*) ?\| (.*)\|$/gm)];
  return new Map(
    rows.flatMap(([, tables, owner, others]) => {
      const rooms = [owner!, ...[...others!.matchAll(/(?:^|; )([\w/]+):/g)].map(([, room]) => room!)];
      return tables!
        .split(', ')
        .map((table): [string, Set<string>] => [table, new Set(rooms.filter((room) => room !== ''))]);
    }),
  );
}

const asLists = (rooms: Map<string, Set<string>>) =>
  Object.fromEntries([...rooms].sort().map(([table, names]) => [table, [...names].sort()]));

test('each table is written by its owner and by the rooms that src/README.md names', () => {
  expect(asLists(writers())).toEqual(asLists(documented()));
});
