/** Longest text of a caller that is repeated in a message, characters. */
const LONGEST = 60;

/** Fields and variables whose value is never repeated: keys, passwords, and addresses, which may hold them. */
const SECRET_NAME = /secret|password|token|signature|authorization|_?key(_?id|s)?$|url$/i;
/** Texts that are secret wherever they stand: API keys, webhook secrets, addresses with a user and password. */
const SECRET_TEXT = /vas_[0-9A-Za-z]|whsec_|bearer\s|:\/\/.*@/i;

/** Whether a value may not be repeated in a message. */
export const isSecret = (path: readonly PropertyKey[], value: unknown): boolean =>
  (typeof value === 'string' && SECRET_TEXT.test(value)) ||
  path.some((part) => typeof part === 'string' && SECRET_NAME.test(part));

/** A text in quotes, cut where it is long. */
export function quoted(text: string): string {
  const cut = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  return JSON.stringify(cut);
}

/** A name that a caller made up, for a message. */
export const shownName = (name: string): string =>
  isSecret([], name) ? '(hidden)' : name.length > LONGEST ? `${name.slice(0, LONGEST)}…` : name;

/** What was received, in few words; a secret value is described by its length alone. */
export function received(value: unknown, path: readonly PropertyKey[]): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value))
    return value.length === 1 ? 'a list of 1 entry' : `a list of ${value.length} entries`;
  if (typeof value === 'object') return 'an object';
  if (typeof value !== 'string') return String(value);
  if (value === '') return 'an empty text';
  return isSecret(path, value) ? `a text of ${value.length} characters` : quoted(value);
}

/** The value at a path of the input; of a text that was split into parts the whole text. */
export function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let at = input;
  for (const part of path) {
    if (typeof at !== 'object' || at === null) return at;
    at = (at as Record<PropertyKey, unknown>)[part];
  }
  return at;
}
