import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** Longer lines are no password. */
const MOST_CHARACTERS = 1_000;

/** The first line of standard input. In a terminal it is asked for and not shown. @throws Error when there is none */
export async function readPassword(email: string): Promise<string> {
  if (!process.stdin.isTTY) return firstLine(process.stdin);
  process.stderr.write(`New password of ${email}: `);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  // Ctrl+C reaches the interface and not the program.
  lines.once('SIGINT', () => process.exit(130));
  try {
    return await lines.question('');
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}

async function firstLine(input: AsyncIterable<Buffer | string>): Promise<string> {
  let text = '';
  for await (const chunk of input) {
    text += String(chunk);
    if (text.includes('\n') || text.length > MOST_CHARACTERS) break;
  }
  const line = text.split(/\r?\n/)[0]!;
  if (line === '')
    throw new Error('There is no password on standard input: pipe it in, or run the command in a terminal.');
  return line;
}
