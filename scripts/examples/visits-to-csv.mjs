// Writes the visits of a time range into a file that spreadsheets open. It needs nothing but Node.
//
//   API_URL=http://127.0.0.1:3000 API_KEY=… node scripts/examples/visits-to-csv.mjs 2026-11-01 2026-12-01 visits.csv

import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const { API_URL, API_KEY } = process.env;
const [from, to, file = 'visits.csv'] = process.argv.slice(2);
if (!API_URL || !API_KEY || !from || !to)
  throw new Error('Set API_URL and API_KEY, and give the first day, the day after the last one, and a file.');

const url = new URL(`${API_URL}/api/v1/visits`);
url.searchParams.set('from', new Date(from).toISOString());
url.searchParams.set('to', new Date(to).toISOString());
// Excel reads UTF-8 only after this mark.
url.searchParams.set('bom', 'true');
const answer = await fetch(url, { headers: { Authorization: `Bearer ${API_KEY}`, Accept: 'text/csv' } });
if (!answer.ok) throw new Error(`The service answered ${answer.status}: ${await answer.text()}`);

await pipeline(Readable.fromWeb(answer.body), createWriteStream(file));
console.log(`The visits from ${from} to ${to} are in ${file}.`);
