/** What the service worker shows for a push message. */
export interface ShownPush {
  readonly title: string;
  readonly body: string;
  readonly tag: string;
  /** The place in the page that a click opens, with its `#`. */
  readonly place: string;
  /** Address of the picture below the page; null without one. */
  readonly image: string | null;
  readonly isUrgent: boolean;
}

const MOST_LETTERS = 1_000;
const START = '#/';

/**
 * Reads a push message. Browsers insist that something is shown for each, so a broken one is shown too.
 * @param fallback title of a message that has none
 */
export function readPush(text: string | null, fallback: string): ShownPush {
  const given = parsed(text);
  const { title, body, tag, severity } = given;
  return {
    title: textOf(title) || fallback,
    body: textOf(body),
    tag: textOf(tag) || 'message',
    place: placeOf(given.url),
    image: imageOf(given.image),
    isUrgent: severity === 'critical',
  };
}

function parsed(text: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value.slice(0, MOST_LETTERS) : '');

/** The part behind `#`: the page is here, whatever address the service has for others. */
function placeOf(url: unknown): string {
  const at = textOf(url).indexOf(START);
  return at < 0 ? START : textOf(url).slice(at);
}

/** The signed address below the page. */
function imageOf(image: unknown): string | null {
  return /\/(api\/v1\/images\/[^?#]+\?[^#]+)/.exec(textOf(image))?.[1] ?? null;
}
