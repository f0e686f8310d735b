import { readFile } from 'node:fs/promises';
import type { z } from 'zod';

interface Source {
  /** What the text is, with its path: the subject of the error. */
  readonly name: string;
  /** What to do instead, without a full stop. */
  readonly advice: string;
}

/** @throws Error with one sentence: the file is missing, is no JSON, or does not match the schema */
export async function readJson<T>(path: string, schema: z.ZodType<T>, { name, advice }: Source): Promise<T> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const reason = error.code === 'ENOENT' ? 'does not exist' : `cannot be read (${error.code})`;
    throw new Error(`The ${name} ${path} ${reason}; ${advice}.`);
  });
  return parseJson(text, schema, { name: `${name} ${path}`, advice });
}

/** @throws Error with one sentence: the text is no JSON, or does not match the schema */
export function parseJson<T>(text: string, schema: z.ZodType<T>, { name, advice }: Source): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`The ${name} is not JSON (${(error as Error).message}); ${advice}.`);
  }
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const faults = result.error.issues.map(({ path, message }) =>
    path.length > 0 ? `${path.join('.')}: ${message}` : message,
  );
  throw new Error(`The ${name} cannot be used: ${faults.join('; ')}.`);
}
