import { readFileSync } from 'node:fs';
import { similarNames } from './explain/closest.ts';

/** The variables with secrets. Each may also be a file, whose path is in the variable with `_FILE` behind its name. */
export const SECRET_VARIABLES: readonly string[] = [
  ...['DATABASE_URL', 'DIRECT_DATABASE_URL', 'ENCRYPTION_KEYS', 'URL_SIGNING_KEY'],
  ...['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY', 'SMTP_URL', 'MQTT_URL', 'VLM_API_KEY'],
];

/** Larger files are no secrets but a mistake. */
const MOST_CHARACTERS = 100_000;

export interface GivenVariables {
  readonly given: Readonly<Record<string, string>>;
  /** The secrets whose files cannot be used, and `NAME_FILE: what is wrong` of each. */
  readonly unreadable: readonly string[];
  readonly faults: readonly string[];
}

/** The variables that are set, with the secrets from their files. An empty variable counts as not set. */
export function readEnvironment(environment: NodeJS.ProcessEnv, names: readonly string[]): GivenVariables {
  const given: Record<string, string> = {};
  const unreadable: string[] = [];
  const faults: string[] = [];
  for (const name of names) {
    const value = environment[name]?.trim();
    if (value) given[name] = value;
  }
  for (const name of SECRET_VARIABLES.filter((secret) => names.includes(secret))) {
    const file = environment[`${name}_FILE`]?.trim();
    if (!file) continue;
    const both = { fault: `give ${name} or its file, not both` };
    const read = given[name] === undefined ? readSecret(file) : both;
    if ('secret' in read) {
      given[name] = read.secret;
    } else {
      unreadable.push(name);
      faults.push(`${name}_FILE: ${read.fault}`);
    }
  }
  return { given, unreadable, faults };
}

function readSecret(file: string): { secret: string } | { fault: string } {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return { fault: `the file ${file} cannot be read (${code ?? message})` };
  }
  if (text.length > MOST_CHARACTERS) return { fault: `the file ${file} is too large for a secret` };
  const secret = text.trim();
  return secret === '' ? { fault: `the file ${file} is empty` } : { secret };
}

/** Shorter names are everyday words, which the variables of other programs have too. */
const FEWEST_LETTERS = 5;
const LONG_NAME = 12;

const mostSteps = (given: string, known: string): number => {
  const letters = Math.min(given.length, known.length);
  if (letters < FEWEST_LETTERS) return -1;
  return letters < LONG_NAME ? 1 : 2;
};

/**
 * One sentence for each variable that is not ours but almost has the name of one of ours: it has no effect, and whoever set it does not know.
 * It is no fault, because other programs may read it.
 */
export function misspeltVariables(environment: NodeJS.ProcessEnv, names: readonly string[]): string[] {
  const known = [...new Set([...names, ...SECRET_VARIABLES.map((name) => `${name}_FILE`)])];
  const unknown = Object.keys(environment).filter(
    (name) => !known.includes(name) && environment[name]?.trim(),
  );
  return unknown.sort().flatMap((name) => {
    const meant = similarNames(name, known, mostSteps).find(({ steps, most }) => steps <= most)?.name;
    return meant === undefined ? [] : [`The variable ${name} is not read. Is ${meant} meant?`];
  });
}
