import { describe, expect, test } from '@jest/globals';
import { readAnswer } from '../../../src/insights/vlm/answer.ts';
import { objectsInText } from '../../../src/platform/chat/objects-in.ts';
import { readReply, sentenceOf } from '../../../src/platform/chat/read-reply.ts';
import { anyCharacter, fc } from '../../support/property.ts';

const MEANT = {
  summary: 'Six people wait; the sign reads "{closed}", and one waves.',
  personCount: 6,
  riskLevel: 'high' as const,
  activities: ['waiting'],
  suggestions: ['Open till 2'],
  environment: 'bakery',
};
const DRAFT = { ...MEANT, summary: 'Maybe nobody waits.', riskLevel: 'low' as const };
const json = JSON.stringify(MEANT);
const pretty = JSON.stringify(MEANT, null, 2);
const draft = JSON.stringify(DRAFT);

/** Reads a message of a server as the writer of insights does. */
const read = (message: object) => {
  const reply = readReply(JSON.stringify({ choices: [{ message }] }));
  return reply && readAnswer(reply, 3);
};

describe('the answer is read', () => {
  test.each<[string, string]>([
    ['plain', json],
    ['after thoughts', `<think>First: ${draft} or so.</think>\n${json}`],
    ['after thoughts that began in the prompt', `I could say ${draft}.\n</think>\n\n${json}`],
    [
      'after thoughts in a fence',
      `<thinking>\n\`\`\`json\n${draft}\n\`\`\`\n</thinking>\n\`\`\`json\n${pretty}\n\`\`\``,
    ],
    ['after two thoughts', `<think>${draft}</think> hm <think>${draft}</think>${json}`],
    [
      'in the final channel',
      `<|channel|>analysis<|message|>${draft}<|end|><|channel|>final<|message|>${json}`,
    ],
    [
      'in the second of two fences',
      `Draft:\n\`\`\`json\n${draft}\n\`\`\`\nBetter:\n\`\`\`json\n${pretty}\n\`\`\`\nDone.`,
    ],
    ['between braces of prose', `As {you} asked {"for": , the queue: ${json} {and so on`],
    ['before another object', `${json}\n{"confidence": 0.9}`],
    ['in a JSON string', JSON.stringify(json)],
    ['in a JSON string in a fence', `\`\`\`json\n${JSON.stringify(pretty)}\n\`\`\``],
    ['in a wrapper', JSON.stringify({ result: MEANT })],
    ['in a wrapper of wrappers', JSON.stringify({ type: 'answer', data: { insight: [MEANT] } })],
    ['as text in a wrapper', JSON.stringify({ answer: json })],
    ['in a list', `[${json}]`],
    ['as a call of a tool in the text', JSON.stringify({ name: 'insight', arguments: MEANT })],
    ['with trailing commas', pretty.replace(/\n\}$/, ',\n}').replace('"waiting"', '"waiting",')],
    ['with a tail of the think tag in a text', JSON.stringify({ ...MEANT, environment: 'bakery' })],
  ])('%s', (_name, content) => {
    expect(read({ content })).toEqual(MEANT);
  });

  test.each<[string, object]>([
    ['in the text that the server calls reasoning', { content: '', reasoning_content: json }],
    ['in the reasoning of other servers', { content: null, reasoning: json }],
    ['in the text, though the reasoning has a draft', { content: json, reasoning_content: draft }],
    [
      'in parts',
      {
        content: [
          { type: 'thinking', text: draft },
          { type: 'text', text: json.slice(0, 50) },
          { type: 'text', text: json.slice(50) },
        ],
      },
    ],
    [
      'in a called tool',
      { content: null, tool_calls: [{ id: '1', function: { name: 'insight', arguments: json } }] },
    ],
    ['in a called tool, as an object', { tool_calls: [{ function: { name: 'insight', arguments: MEANT } }] }],
    ['in a called function', { content: '', function_call: { name: 'insight', arguments: json } }],
    ['as an object', { content: MEANT }],
    ['as the server has parsed it', { content: null, parsed: MEANT }],
    ['as the server has parsed it, beside its text', { content: `It is ${draft}`, parsed: MEANT }],
    ['as text of what the server has parsed', { content: '', parsed: json }],
    ['in the text, where the server could not parse it', { content: json, parsed: null }],
  ])('%s', (_name, message) => {
    expect(read(message)).toEqual(MEANT);
  });

  test('with a raw line break in a text', () => {
    const content = `{"summary": "Six people\nwait.", "personCount": 6, "riskLevel": "high", "environment": "a\tb"}`;
    expect(read({ content })).toMatchObject({ summary: 'Six people wait.', environment: 'a b' });
  });

  test('at the end of thoughts that the model forgot to end', () => {
    expect(read({ content: `<think>Perhaps ${draft}. The answer:\n${pretty}` })).toEqual(MEANT);
  });

  test('escaped as if it stood in quotes', () => {
    expect(read({ content: JSON.stringify(json).slice(1, -1) })).toEqual(MEANT);
  });

  test('the words of the end of thoughts inside the answer are words', () => {
    const content = JSON.stringify({ ...MEANT, summary: 'A sign reads </think> here.' });
    expect(read({ content })?.summary).toBe('A sign reads </think> here.');
  });
});

test.each([
  { content: `<think>Perhaps ${draft}` },
  { content: '', reasoning_content: `Perhaps ${draft}, or` },
])('no draft of thoughts that were cut off is an answer: %j', (message) => {
  const body = JSON.stringify({ choices: [{ message, finish_reason: 'length' }] });
  expect(readAnswer(readReply(body)!, 3)).toBe(null);
});

test.each(['', ' \n', '{"choices":[]}'])('the body %j is an answer of nothing', (body) => {
  expect(readReply(body)).toMatchObject({ text: '', reasoning: '', tools: [] });
});

test('a refusal of the model is its text', () => {
  const body = JSON.stringify({ choices: [{ message: { content: null, refusal: 'I cannot help.' } }] });
  expect(readReply(body)?.text).toBe('I cannot help.');
});

test.each([
  ['', null],
  [`<think>${draft}</think>`, null],
  [`<think>${draft} and then`, null],
  ['{"summary": ""}', null],
  [`{"properties": {"summary": {"type": "string"}}}`, null],
  [json.slice(0, -5), null],
])('no answer is made of %s', (content, expected) => {
  expect(read({ content })).toBe(expected);
});

describe('properties', () => {
  // Prose without braces that would close the answer's own.
  const prose = fc.stringMatching(/^[\p{L}\p{N} .,:;!?'"\n{[\]]{0,60}$/u);
  const word = fc.string({ maxLength: 30 });
  const answer = fc.record({
    summary: fc.string({ minLength: 1, maxLength: 80 }).filter((text) => /\p{L}/u.test(text)),
    personCount: fc.integer({ min: 0, max: 10_000 }),
    riskLevel: fc.constantFrom('low', 'medium', 'high', 'critical'),
    activities: fc.array(word, { maxLength: 5 }),
    suggestions: fc.array(word, { maxLength: 3 }),
    environment: word,
  });
  const shapes = fc.constantFrom<(object: object, before: object, words: string) => string>(
    (object) => JSON.stringify(object),
    (object, before, words) =>
      `<think>${words}${JSON.stringify(before)}${words}</think>\n${JSON.stringify(object)}`,
    (object, before) =>
      `\`\`\`json\n${JSON.stringify(before)}\n\`\`\`\n\`\`\`\n${JSON.stringify(object, null, 1)}\n\`\`\``,
    (object, before) => `${JSON.stringify(before)}\nNo:\n${JSON.stringify(object)}\n`,
    (object) => JSON.stringify({ output: { value: object } }),
    (object) => JSON.stringify({ output: JSON.stringify(object) }),
    (object) => JSON.stringify(JSON.stringify(object)),
    (object) => JSON.stringify(object).replace(/\}$/, ',}'),
  );

  test('whatever is around it, the last answer is read', () => {
    fc.assert(
      fc.property(answer, answer, shapes, prose, (meant, before, shape, words) => {
        const said = { tools: [], text: shape(meant, before, words), reasoning: JSON.stringify(before) };
        expect(readAnswer(said, 0)).toEqual(
          readAnswer({ tools: [], text: JSON.stringify(meant), reasoning: '' }, 0),
        );
      }),
    );
  });

  test('whatever a server says, nothing throws, and every found value is an object', () => {
    const text = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 300 }),
      fc
        .array(
          fc.constantFrom(
            '{',
            '}',
            '"',
            '\\',
            '[',
            ']',
            ',',
            ':',
            '<think>',
            '</think>',
            '```',
            'a',
            '1',
            '\n',
          ),
        )
        .map((all) => all.join('')),
      fc.json(),
    );
    fc.assert(
      fc.property(text, (said) => {
        for (const object of objectsInText(said)) expect(typeof object).toBe('object');
        readAnswer({ tools: [said], text: said, reasoning: said }, 0);
        readReply(said);
        expect(sentenceOf(said).length).toBeLessThanOrEqual(300);
      }),
    );
  });

  test('whatever a message is, the reply has texts', () => {
    fc.assert(
      fc.property(fc.object(), fc.anything(), (message, content) => {
        const reply = readReply(JSON.stringify({ choices: [{ message: { ...message, content } }] }));
        if (reply) expect(typeof reply.text).toBe('string');
      }),
    );
  });
});

test.each([
  ['{'],
  ['{"a":'],
  ["{'a"],
  ['{“'],
  ['{/*'],
  ['{a:'],
  ["{'a':'b' "],
  ['"'],
  ['\n'],
  [' '],
  ['`'],
  [','],
  ['<think>'],
  ['{"'],
  ['\\'],
])('an answer of nothing but %j, as long as an answer may be, has no object', (piece) => {
  expect([...objectsInText(piece.repeat((256 * 1024) / piece.length))]).toEqual([]);
});

test.each<[unknown, string]>([
  [{ error: { message: 'No such\nmodel', type: 'x' } }, 'No such model'],
  [{ error: 'busy' }, 'busy'],
  [{ object: 'error', message: 'too long', code: 400 }, 'too long'],
  [
    { detail: [{ loc: ['body', 'temperature'], msg: 'extra fields not permitted' }] },
    'body.temperature: extra fields not permitted',
  ],
  ['plain text', 'plain text'],
  ['<html><head><title>502 Bad Gateway</title></head><body>x</body></html>', '502 Bad Gateway'],
  ['<html><body><h1>Not\n found</h1></body></html>', 'Not found'],
  [{ weird: 1 }, '{"weird":1}'],
])('the sentence of the refusal %j is %s', (body, sentence) => {
  expect(sentenceOf(typeof body === 'string' ? body : JSON.stringify(body))).toBe(sentence);
});
