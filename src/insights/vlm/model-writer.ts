import sharp from 'sharp';
import type { ChatAnswer, ChatMessage } from '../../platform/chat/chat.ts';
import type { ChatClient } from '../../platform/chat/chat-client.ts';
import type { Reply } from '../../platform/chat/read-reply.ts';
import { VlmFailure } from '../../platform/chat/vlm-failure.ts';
import type { Config } from '../../platform/config.ts';
import type { InsightWriter, Material, Written } from '../writer.ts';
import { ANSWER_SCHEMA, readAnswer } from './answer.ts';
import { TOKENS_PER_IMAGE, tokensOf } from './count-tokens.ts';
import { factsInWords, REPAIR, SYSTEM } from './prompt.ts';

const MOST_IMAGES = 4;
const LONG_SIDE = 768;
const PROMPT_TOKENS = 1_500;

/** A writer that asks a model. It sends images and facts and reads the fields of an insight. */
export function modelWriter(
  client: ChatClient,
  { vlmTimeoutSeconds: timeoutSeconds, vlmMaxOutputTokens: maxOutputTokens }: Config,
): InsightWriter {
  const once = () => PROMPT_TOKENS + 2 * TOKENS_PER_IMAGE + client.room * maxOutputTokens;
  return {
    name: 'openai',
    model: client.model,
    needsImages: true,
    // An unreadable answer is sent back once, for a second answer.
    get reservedTokens() {
      return 2 * once() + maxOutputTokens;
    },
    async write(material, signal): Promise<Written> {
      const messages = await messagesFor(material);
      const limits = { maxOutputTokens, timeoutSeconds, signal };
      const people = material.facts?.tracks.length ?? 0;
      const isReadable = (reply: Reply) => readAnswer(reply, people) !== null;
      const question = { schema: { name: 'insight', schema: ANSWER_SCHEMA }, isReadable, ...limits };
      const first = await client.ask({ ...question, messages });
      const result = readAnswer(first, people);
      const spent = tokensOf(first);
      if (result) return { result, ...spent };
      // More tokens were tried already, so another question would end in the same way.
      if (first.isCut) throw new VlmFailure('VLM_PARSE_FAILURE', unreadable(first));
      const repair: ChatMessage[] = [
        ...messages,
        { role: 'assistant', content: first.text.slice(0, 4_000) || '(nothing)' },
        { role: 'user', content: REPAIR },
      ];
      const second = await client.ask({ ...question, messages: repair });
      const repaired = readAnswer(second, people, { acceptsEcho: true });
      if (!repaired) throw new VlmFailure('VLM_PARSE_FAILURE', unreadable(second));
      const more = tokensOf(second);
      return {
        result: repaired,
        inputTokens: spent.inputTokens + more.inputTokens,
        outputTokens: spent.outputTokens + more.outputTokens,
      };
    },
  };
}

/** Why there is no insight, for the operator: what the model said instead. */
function unreadable({ isCut, text }: ChatAnswer): string {
  if (isCut) {
    return "The model's answer was cut off at its greatest length. A model that thinks needs a greater VLM_MAX_OUTPUT_TOKENS.";
  }
  const said = text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, 200);
  return `The model gave no readable answer, twice.${said && ` It said: ${said}`}`;
}

async function messagesFor(material: Material): Promise<ChatMessage[]> {
  const images = await Promise.all(material.images.slice(0, MOST_IMAGES).map(asDataUrl));
  return [
    { role: 'system', content: SYSTEM },
    {
      role: 'user',
      content: [
        { type: 'text', text: factsInWords(material) },
        ...images.map((url) => ({ type: 'image_url' as const, image_url: { url } })),
      ],
    },
  ];
}

async function asDataUrl(jpeg: Uint8Array): Promise<string> {
  const small = await sharp(jpeg)
    .resize({ width: LONG_SIDE, height: LONG_SIDE, fit: 'inside', withoutEnlargement: true })
    .jpeg({ quality: 80 })
    .toBuffer()
    .catch(() => {
      throw new VlmFailure('SNAPSHOT_MISSING', 'An image of this alert cannot be read.');
    });
  return `data:image/jpeg;base64,${small.toString('base64')}`;
}
