/** A part of a mail, decoded. */
export interface MailPart {
  /** E.g. `text/html`. */
  readonly type: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly content: Buffer;
}

export interface ReadMail {
  /** Names in lower case; values unfolded and with their encoded words decoded. */
  readonly headers: ReadonlyMap<string, string>;
  /** All parts that are no containers, in order. */
  readonly parts: readonly MailPart[];
  readonly text: string;
  readonly html: string;
}

/** Reads a mail as a mail program does. */
export function readMail(raw: string): ReadMail {
  const { headers, body } = split(raw);
  const parts = partsOf(headers, body);
  const textOf = (type: string) => parts.find((part) => part.type === type)?.content.toString('utf8') ?? '';
  return { headers, parts, text: textOf('text/plain'), html: textOf('text/html') };
}

function split(raw: string): { headers: Map<string, string>; body: string } {
  const end = raw.indexOf('\r\n\r\n');
  const lines = raw
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers = new Map<string, string>();
  for (const line of lines) {
    const at = line.indexOf(':');
    const name = line.slice(0, at).toLowerCase();
    if (headers.has(name)) throw new Error(`The header ${name} comes twice`);
    headers.set(name, decodeWords(line.slice(at + 1).trim()));
  }
  return { headers, body: raw.slice(end + 4) };
}

function partsOf(headers: ReadonlyMap<string, string>, body: string): MailPart[] {
  const type = headers.get('content-type') ?? 'text/plain';
  const [, boundary] = /boundary="?([^";]+)"?/.exec(type) ?? [];
  if (!boundary) return [{ type: type.split(';')[0]!.trim(), headers, content: decode(headers, body) }];
  return body
    .split(`--${boundary}`)
    .slice(1, -1)
    .flatMap((part) => {
      const inner = split(part.replace(/^\r\n/, ''));
      return partsOf(inner.headers, inner.body.replace(/\r\n$/, ''));
    });
}

function decode(headers: ReadonlyMap<string, string>, body: string): Buffer {
  const encoding = headers.get('content-transfer-encoding') ?? '7bit';
  if (encoding === 'base64') return Buffer.from(body, 'base64');
  return encoding === 'quoted-printable' ? quotedPrintable(body) : Buffer.from(body, 'utf8');
}

const quotedPrintable = (text: string): Buffer =>
  Buffer.from(
    text
      .replaceAll(/=\r\n/g, '')
      .replaceAll(/=([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );

/** Decodes words like `=?UTF-8?Q?K=C3=B6ln?=`. */
const decodeWords = (value: string): string =>
  value
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([bq])\?(.*?)\?=/gi, (_, kind: string, word: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(word, 'base64').toString('utf8')
        : quotedPrintable(word.replaceAll('_', ' ')).toString('utf8'),
    );
