import type { Severity } from '../../../platform/prisma-client/client.ts';
import type { WrittenMessage } from './write-message.ts';

/** What the service worker of the page shows. */
export interface PushContent {
  readonly title: string;
  readonly body: string;
  /** What a click opens. */
  readonly url: string;
  /** A signed address; absent where there is no picture. */
  readonly image?: string;
  readonly severity?: Severity;
}

/** Push services take at least 4,096 bytes of encrypted text (RFC 8030), 103 of which are not ours. */
const MOST_BYTES = 3_900;
const MOST_TITLE = 150;
const MOST_BODY = 600;

/** A message as a push message. */
export function pushOf(
  { title, sentence, rows, more }: WrittenMessage,
  { url, image, severity }: { url: string; image: string | null; severity: Severity | null },
): PushContent {
  const body = [sentence, rows.map(([, value]) => value).join(', '), more].filter(Boolean).join('\n');
  return { title, body, url, ...(image && { image }), ...(severity && { severity }) };
}

/**
 * The bytes of a push message: what is too long is cut, and the picture is left out before the text is.
 * @param tag a later message with the same tag replaces the shown one
 */
export function pushPayload(content: PushContent, tag: string): string {
  const { image, ...words } = content;
  const cut = {
    ...words,
    title: shortened(content.title, MOST_TITLE),
    body: shortened(content.body, MOST_BODY),
    tag,
  };
  const whole = JSON.stringify({ ...cut, ...(image !== undefined && { image }) });
  if (Buffer.byteLength(whole) <= MOST_BYTES) return whole;
  const without = JSON.stringify(cut);
  if (Buffer.byteLength(without) <= MOST_BYTES) return without;
  // Signs of several bytes each, or of many escapes.
  return JSON.stringify({ ...cut, title: shortened(cut.title, 40), body: shortened(cut.body, 100) });
}

/** @param most characters as people count them */
function shortened(text: string, most: number): string {
  const signs = [...text];
  return signs.length <= most ? text : `${signs.slice(0, most - 1).join('')}…`;
}
