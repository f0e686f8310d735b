import { createInterface } from 'node:readline/promises';
import type { GivenFile } from './give.ts';

export interface Acceptance {
  /** The sha256 that the file must have. */
  readonly accept?: string | undefined;
  /** Takes any file. */
  readonly yes?: boolean | undefined;
  /** Asks somebody at a terminal; null without one. */
  readonly ask: ((question: string) => Promise<string>) | null;
}

/**
 * Says the digest of a file whose card has none, and takes the file only if somebody compared it.
 * @param say gets the sentence with the digest
 * @throws Error with one sentence when the file is not accepted
 */
export async function acceptFile(
  { model, file, bytes, sha256 }: GivenFile,
  { accept, yes, ask }: Acceptance,
  say: (sentence: string) => void,
): Promise<void> {
  say(`${file}: ${bytes} bytes, sha256 ${sha256}. The card of ${model} has no sha256 to compare it with.`);
  if (accept !== undefined) {
    if (accept === sha256) return;
    throw new Error(`${file} has another sha256 than --accept (${accept}): nothing was kept.`);
  }
  if (yes) return;
  if (!ask)
    throw new Error(
      `Compare the sha256 with that of whoever made the file, then give --accept ${sha256}: nothing was kept. --yes takes any file.`,
    );
  const answer = await ask('Is this the sha256 that whoever made the file names? [y/N] ');
  if (!/^y(es)?$/i.test(answer.trim())) throw new Error('Not accepted: nothing was kept.');
}

/** Asks at the terminal of this process; null where nobody can answer. */
export const askAtTerminal = (): Acceptance['ask'] =>
  process.stdin.isTTY && process.stderr.isTTY
    ? async (question) => {
        const lines = createInterface({ input: process.stdin, output: process.stderr });
        try {
          return await lines.question(question);
        } finally {
          lines.close();
        }
      }
    : null;
