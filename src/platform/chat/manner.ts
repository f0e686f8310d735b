import type { ChatMessage, ChatPart, ChatQuestion } from './chat.ts';

/** The strictest format first. */
const FORMATS = ['json_schema', 'json_object', 'text'] as const;
/** Names of the bound of an answer: old, new, none. */
const BOUNDS = ['max_tokens', 'max_completion_tokens', null] as const;
const MANY = 16;

/** How a server wants to be asked. What it refuses is left out from then on. */
export interface Manner {
  /** Index of the strictest format that the server knows. */
  readonly format: number;
  /** Index of the name of the bound. */
  readonly bound: number;
  readonly hasTemperature: boolean;
  /** The most images of a request. */
  readonly images: number;
  readonly hasSystem: boolean;
  /** Whether the answers need more tokens than the question gives them. */
  readonly needsMore: boolean;
}

export const FULL: Manner = {
  format: 0,
  bound: 0,
  hasTemperature: true,
  images: MANY,
  hasSystem: true,
  needsMore: false,
};

/** So many times the tokens of a question are given to an answer that was cut off: models think before they answer. */
const MORE = 4;

/** How many times the tokens of a question its answer may have. */
export const roomOf = ({ needsMore }: Manner): number => (needsMore ? MORE : 1);

/** The manner with more tokens for the answer; null where there is no bound to raise. */
export const withMore = (manner: Manner): Manner | null =>
  manner.needsMore || BOUNDS[manner.bound] === null ? null : { ...manner, needsMore: true };

export interface Refusal {
  readonly status: number;
  readonly body: string;
}

/** A server answers these where it does not like a request; 500 also where a parameter makes it stumble. */
const REFUSED = new Set([400, 413, 415, 422, 500, 501]);
/** A gateway that finds no model for what is asked. A wrong address has the same status, so the parameter must be named. */
const NOT_FOUND = 404;
/** Pictures take most of the room of a request. */
const NO_ROOM = /context (?:length|size|window)|maximum model length/i;
const TOO_MUCH = /too (?:large|long|big|many)|exceed|context length|maximum context|less than or equal/i;
const ABOUT_FORMAT =
  /response_format|json_schema|json_object|json mode|structured[ _]output|guided|grammar|schema|requested parameters/i;
const ABOUT_BOUND = [/\bmax_tokens\b/i, /\bmax_completion_tokens\b/i] as const;
const ABOUT_IMAGES = /image|vision|multi-?modal|mmproj|\bcontent\b.{0,60}(?:string|str\b|list|array|part)/i;
const ABOUT_SYSTEM =
  /system (?:role|message|prompt|instruction)s?\b|role.{0,20}system|roles must alternate|only user and assistant roles/i;

/**
 * Another manner in which to ask after a refusal: without the parameter that the server names, else with a looser format.
 * @param isProven whether the server has answered in this format before: then it has refused something else
 * @returns null when nothing is left to try
 */
export function stepDown(
  manner: Manner,
  { status, body }: Refusal,
  { images, isProven }: { images: number; isProven: boolean },
): Manner | null {
  if (!REFUSED.has(status) && status !== NOT_FOUND) return null;
  const sent = Math.min(images, manner.images);
  if (manner.needsMore && (TOO_MUCH.test(body) || NO_ROOM.test(body))) return { ...manner, needsMore: false };
  // "Unsupported parameter: max_tokens" is another thing than "max_tokens is too large".
  if (!TOO_MUCH.test(body) && ABOUT_BOUND[manner.bound]?.test(body))
    return { ...manner, bound: manner.bound + 1 };
  if (manner.hasTemperature && /temperature/i.test(body)) return { ...manner, hasTemperature: false };
  if (hasFormat(manner) && ABOUT_FORMAT.test(body)) return { ...manner, format: manner.format + 1 };
  if (manner.hasSystem && ABOUT_SYSTEM.test(body)) return { ...manner, hasSystem: false };
  const isAboutImages = status === 413 || NO_ROOM.test(body) || ABOUT_IMAGES.test(body);
  if (sent > 0 && isAboutImages) return { ...manner, images: sent > 1 ? 1 : 0 };
  return hasFormat(manner) && !isProven && status !== NOT_FOUND
    ? { ...manner, format: manner.format + 1 }
    : null;
}

const hasFormat = ({ format }: Manner): boolean => format < FORMATS.length - 1;

export const isImage = (part: ChatPart): boolean => part.type === 'image_url';

/** What a server does not accept, each as a sentence without subject. */
export const shortcomings = ({
  format,
  bound,
  hasTemperature,
  images,
  hasSystem,
  needsMore,
}: Manner): string[] => [
  ...(images === 0 ? ['reads no images: it describes alerts by their numbers alone'] : []),
  ...(images === 1 ? ['reads one image of each alert'] : []),
  ...(format > 0 ? [`knows no answers in the format ${FORMATS.slice(0, format).join(' or ')}`] : []),
  ...(bound > 0 ? [`does not know ${BOUNDS.slice(0, bound).join(' and ')}`] : []),
  ...(hasTemperature ? [] : ['does not accept temperature 0: the same alert may give other words']),
  ...(hasSystem ? [] : ['knows no system messages']),
  ...(needsMore ? [`cuts its answers off: they are given ${MORE} times VLM_MAX_OUTPUT_TOKENS`] : []),
];

/** The messages as they are sent in a manner. */
export function messagesIn(manner: Manner, messages: readonly ChatMessage[]): ChatMessage[] {
  const sent = messages.map(({ role, content }) => ({ role, content: contentIn(manner, content) }));
  const [first, second] = sent;
  if (manner.hasSystem || first?.role !== 'system' || second?.role !== 'user') return sent;
  const rules = String(first.content);
  const content =
    typeof second.content === 'string'
      ? `${rules}\n\n${second.content}`
      : [{ type: 'text' as const, text: rules }, ...second.content];
  return [{ role: 'user', content }, ...sent.slice(2)];
}

const NO_IMAGES = 'The pictures could not be sent. Describe what the facts say, and nothing else.';

function contentIn({ images }: Manner, content: ChatMessage['content']): ChatMessage['content'] {
  if (typeof content === 'string') return content;
  let left = images;
  const kept = content.filter((part) => !isImage(part) || left-- > 0);
  if (kept.some(isImage) || kept.length === content.length) return kept;
  return [...kept.flatMap((part) => (part.type === 'text' ? [part.text] : [])), NO_IMAGES].join('\n\n');
}

/** The body of a request. */
export function bodyIn(
  manner: Manner,
  model: string,
  { schema, maxOutputTokens }: ChatQuestion,
  messages: readonly ChatMessage[],
): object {
  const format = FORMATS[manner.format];
  const bound = BOUNDS[manner.bound];
  return {
    model,
    messages,
    ...(manner.hasTemperature && { temperature: 0 }),
    ...(bound && { [bound]: roomOf(manner) * maxOutputTokens }),
    ...(format === 'json_schema' && {
      response_format: { type: format, json_schema: { ...schema, strict: true } },
    }),
    ...(format === 'json_object' && { response_format: { type: format } }),
  };
}
