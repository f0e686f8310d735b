import type { Reply } from './read-reply.ts';

export type ChatPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } };

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string | readonly ChatPart[];
}

export interface ChatQuestion {
  readonly messages: readonly ChatMessage[];
  /** JSON schema of the answer. */
  readonly schema: { readonly name: string; readonly schema: object };
  readonly maxOutputTokens: number;
  readonly timeoutSeconds: number;
  readonly signal: AbortSignal;
  /** Whether an answer that was cut off is enough all the same. Otherwise it is asked for once more, with more tokens. */
  readonly isReadable: (reply: Reply) => boolean;
}

export interface ChatAnswer extends Reply {
  /** The messages as the server got them: without what it refuses. */
  readonly sent: readonly ChatMessage[];
  /** The answer before it, which was cut off and cost tokens too. */
  readonly before: ChatAnswer | null;
}
