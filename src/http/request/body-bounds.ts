/** Far above what any call needs: a scene has about a hundred values. */
const MOST = { keys: 2_000, entries: 10_000, levels: 20 } as const;

/** A body with too many parts. */
export class TooManyParts extends Error {}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;

/**
 * Counts the parts of a JSON text without parsing it. Parsing and explaining thousands of unknown keys would hold up all other
 * calls of the process, also for callers who are not signed in.
 * @param json in UTF-8, valid or not
 * @throws TooManyParts
 */
export function boundParts(json: Uint8Array): void {
  let [keys, entries, level, isText] = [0, 0, 0, false];
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]!;
    if (isText) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) isText = false;
      continue;
    }
    if (byte === QUOTE) isText = true;
    else if (byte === COLON) keys += 1;
    else if (byte === COMMA) entries += 1;
    else if (byte === 0x5b || byte === 0x7b) level += 1;
    else if (byte === 0x5d || byte === 0x7d) level -= 1;
    if (keys > MOST.keys) throw tooMany('keys');
    // The last entry has no comma.
    if (entries >= MOST.entries) throw tooMany('entries');
    if (level > MOST.levels) throw tooMany('levels');
  }
}

const tooMany = (what: keyof typeof MOST): TooManyParts =>
  new TooManyParts(`The body may have at most ${MOST[what].toLocaleString('en')} ${what}`);
