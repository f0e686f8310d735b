import { describe, expect, test } from '@jest/globals';
import { readAnswer } from '../../../src/insights/vlm/answer.ts';
import { errorIn, readReply } from '../../../src/platform/chat/read-reply.ts';
import { fc } from '../../support/property.ts';

const MEANT = { summary: 'Six "people" wait.\nOne waves.', personCount: 6, riskLevel: 'high' };
const json = JSON.stringify(MEANT);
const halves = [json.slice(0, 20), json.slice(20)];

const chunk = (delta: object, more: object = {}) => ({ choices: [{ index: 0, delta, ...more }] });
const STOP = chunk({}, { finish_reason: 'stop' });
const CONTENT = [chunk({ role: 'assistant', content: '' }), ...halves.map((content) => chunk({ content }))];
const USAGE = { choices: [], usage: { prompt_tokens: 900, completion_tokens: 120 } };

const stream = (chunks: readonly object[], { end = '\n', space = ' ' } = {}) =>
  [...chunks.map((one) => JSON.stringify(one)), '[DONE]']
    .map((data) => `data:${space}${data}${end}${end}`)
    .join('');

const read = (body: string) => {
  const reply = readReply(body);
  return reply && readAnswer(reply, 3);
};

describe('an answer that comes as a stream, although none was asked for, is read', () => {
  test.each<[string, string]>([
    ['in chunks', stream([...CONTENT, STOP, USAGE])],
    ['with CR and LF', stream([...CONTENT, STOP], { end: '\r\n' })],
    ['without a blank after the colon', stream([...CONTENT, STOP], { space: '' })],
    ['after a comment of a gateway', `: PROCESSING\n\n${stream([...CONTENT, STOP])}`],
    ['with names of events', stream(CONTENT).replaceAll('data:', 'event: message\nid: 1\ndata:')],
    ['without its last line', stream(CONTENT).replace(/data: \[DONE\]\s*$/, '')],
    ['as one whole message', stream([{ choices: [{ message: { content: json } }] }])],
    [
      'with thoughts apart',
      stream([chunk({ reasoning_content: '{"summary":"a draft"}' }), ...CONTENT, STOP]),
    ],
    ['in the thoughts alone', stream(halves.map((reasoning_content) => chunk({ reasoning_content })))],
    [
      'in a called tool',
      stream(
        halves.map((text, at) =>
          chunk({
            tool_calls: [{ index: 0, ...(at === 0 && { id: '1' }), function: { arguments: text } }],
          }),
        ),
      ),
    ],
    ['with a line that is no JSON', stream(CONTENT).replace('data: [DONE]', 'data: pong')],
    [
      'with another choice beside it',
      stream([...CONTENT, { choices: [{ index: 1, delta: { content: 'no' } }] }]),
    ],
  ])('%s', (_name, body) => {
    expect(read(body)).toMatchObject({ ...MEANT, summary: 'Six "people" wait. One waves.' });
  });

  test('its tokens and its end are read', () => {
    const cut = chunk({}, { finish_reason: 'length' });
    expect(readReply(stream([...CONTENT, cut, USAGE]))).toMatchObject({
      isCut: true,
      inputTokens: 900,
      outputTokens: 120,
      text: json,
    });
  });

  test('an error in it is an error', () => {
    const body = stream([{ error: { message: 'Slow down', code: 429 } }]);
    expect(errorIn(body)).toEqual({ status: 429, body: '{"error":{"message":"Slow down","code":429}}' });
  });

  test('an error after half an answer is an error', () => {
    expect(errorIn(stream([CONTENT[1]!, { error: 'overloaded' }]))?.status).toBe(500);
  });
});

test.each(['data: [DONE]\n\n', 'data:\n\n', ': nothing\n\n', 'data: {}\n\n'])(
  'the stream %j is an answer of nothing',
  (body) => {
    expect(readReply(body)).toMatchObject({ text: '', tools: [] });
  },
);

test('whatever stands in the lines of a stream, nothing throws', () => {
  const value = fc.oneof(fc.json(), fc.string(), fc.constantFrom('{"choices":[{"delta":', '[DONE]', '1'));
  fc.assert(
    fc.property(fc.array(value), fc.anything(), (lines, delta) => {
      const odd = JSON.stringify({ choices: [{ delta }] }) ?? '';
      const body = [...lines, odd].map((line) => `data: ${line}\n\n`).join('');
      errorIn(body);
      readReply(body);
    }),
  );
});
