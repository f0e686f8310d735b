import type { ChatAnswer, ChatMessage } from './chat-client.ts';

/** What a picture of at most 768 pixels costs at most with the models we know. */
export const TOKENS_PER_PICTURE = 1_100;
const CHARACTERS_PER_TOKEN = 4;

export interface TokenCount {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** As the server counts; a rough count where it does not. */
export function tokensOf(answer: ChatAnswer, messages: readonly ChatMessage[]): TokenCount {
  const parts = messages.flatMap(({ content }) =>
    typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content,
  );
  const roughly = parts.reduce(
    (sum, part) =>
      sum + (part.type === 'text' ? part.text.length / CHARACTERS_PER_TOKEN : TOKENS_PER_PICTURE),
    0,
  );
  return {
    inputTokens: answer.inputTokens ?? Math.ceil(roughly),
    outputTokens: answer.outputTokens ?? Math.ceil(answer.text.length / CHARACTERS_PER_TOKEN),
  };
}
