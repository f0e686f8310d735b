import type { ChatAnswer } from '../../platform/chat/chat.ts';

/** Upper bound of the tokens of an image of 768 pixels, with the models that we know. */
export const TOKENS_PER_IMAGE = 1_100;
const CHARACTERS_PER_TOKEN = 4;

export interface TokenCount {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** The server's count, with that of the answer that was cut off before; a rough estimate where it does not count. */
export function tokensOf({
  sent,
  text,
  reasoning,
  tools,
  inputTokens,
  outputTokens,
  before,
}: ChatAnswer): TokenCount {
  const parts = sent.flatMap(({ content }) =>
    typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content,
  );
  const roughly = parts.reduce(
    (sum, part) => sum + (part.type === 'text' ? part.text.length / CHARACTERS_PER_TOKEN : TOKENS_PER_IMAGE),
    0,
  );
  const said = [text, reasoning, ...tools].join('').length;
  const earlier = before ? tokensOf(before) : { inputTokens: 0, outputTokens: 0 };
  return {
    inputTokens: earlier.inputTokens + (inputTokens ?? Math.ceil(roughly)),
    outputTokens: earlier.outputTokens + (outputTokens ?? Math.ceil(said / CHARACTERS_PER_TOKEN)),
  };
}
