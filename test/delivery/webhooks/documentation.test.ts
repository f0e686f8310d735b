import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { EVENT_TYPES, EVENTS, eventBody } from '../../../src/delivery/events/catalogue.ts';
import { signedHeaders } from '../../../src/delivery/webhooks/sign.ts';
import { publishedDocument } from '../../support/checked-app.ts';
import { isInstalled } from '../../support/installed.ts';

const README = readFileSync('src/delivery/webhooks/README.md', 'utf8');
const SECRET = 'ein Geheimnis: schöne Grüße';
const BODY = Buffer.from('{"id":"1","data":{"name":"Käse \u2028 \ud83e\uddc0","n":1e21}}');
const folder = mkdtempSync(join(tmpdir(), 'snippet-'));
afterAll(() => rmSync(folder, { recursive: true }));

const snippet = (language: string) => new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(README)![1]!;
const save = (name: string, content: string | Buffer): string => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};
const bodyFile = save('body', BODY);

const headers = (at = new Date()) =>
  Object.fromEntries(
    Object.entries(
      signedHeaders({
        body: BODY,
        eventId: 'e',
        eventType: 'alert_triggered',
        deliveryId: 'd',
        at,
        secret: SECRET,
      }),
    ).map(([name, value]) => [name.toLowerCase(), value]),
  );
/** Headers, secret, and whether they are genuine. The times count from the call: the snippets read the clock. */
const cases = () =>
  [
    [headers(), SECRET, true],
    [headers(), `${SECRET}x`, false],
    [headers(new Date(Date.now() - 330_000)), SECRET, false],
    [headers(new Date(Date.now() + 330_000)), SECRET, false],
    [{ ...headers(), 'x-saas-signature': 'sha256=ü' }, SECRET, false],
    [{ ...headers(), 'x-saas-timestamp': 'now' }, SECRET, false],
    [{}, SECRET, false],
  ] as const;

/** What the program says of every case. */
function verdicts(command: string, args: string[]): boolean[] {
  const input = JSON.stringify(cases().map(([given, secret]) => [given, secret]));
  const { stdout, stderr } = spawnSync(command, args, { input, encoding: 'utf8', cwd: folder });
  expect(stderr).toBe('');
  return JSON.parse(stdout) as boolean[];
}
const EXPECTED = cases().map(([, , genuine]) => genuine);

describe('the snippets of the README', () => {
  test('the Node snippet of the README verifies signatures', () => {
    const program = `${snippet('js')}
import { readFileSync } from 'node:fs';
const body = readFileSync(${JSON.stringify(bodyFile)});
console.log(JSON.stringify(JSON.parse(readFileSync(0)).map(([h, secret]) => isGenuine(body, h, secret))));`;
    expect(verdicts(process.execPath, [save('check.mjs', program)])).toEqual(EXPECTED);
  });

  test('the Python snippet of the README verifies signatures', () => {
    if (!isInstalled('python3', '--version')) return;
    const program = `${snippet('python')}
import json, sys
body = open(${JSON.stringify(bodyFile)}, "rb").read()
print(json.dumps([is_genuine(body, h, secret) for h, secret in json.load(sys.stdin)]))`;
    expect(verdicts('python3', [save('check.py', program)])).toEqual(EXPECTED);
  });

  test('the Go snippet of the README verifies signatures', () => {
    if (!isInstalled('go')) return;
    const main = `package main
import ("encoding/json"; "net/http"; "os")
func main() {
  body, _ := os.ReadFile(${JSON.stringify(bodyFile)})
  var cases [][]json.RawMessage
  json.NewDecoder(os.Stdin).Decode(&cases)
  verdicts := []bool{}
  for _, each := range cases {
    var given map[string]string
    var secret string
    json.Unmarshal(each[0], &given)
    json.Unmarshal(each[1], &secret)
    headers := http.Header{}
    for name, value := range given { headers.Set(name, value) }
    verdicts = append(verdicts, IsGenuine(body, headers, secret))
  }
  json.NewEncoder(os.Stdout).Encode(verdicts)
}`;
    expect(verdicts('go', ['run', save('check.go', snippet('go')), save('main.go', main)])).toEqual(EXPECTED);
  });
});

test('the README shows the example of every event type', () => {
  const shown = [...README.matchAll(/^### (\w+)\n\n(.*)\n\n```json\n([\s\S]*?)```/gm)];
  expect(shown.map(([, type, description, example]) => [type, description, JSON.parse(example!)])).toEqual(
    EVENT_TYPES.map((type) => [type, EVENTS[type].description, EVENTS[type].example]),
  );
});

describe('the OpenAPI document', () => {
  const { webhooks } = publishedDocument() as {
    webhooks: Record<
      string,
      { post: { requestBody: { content: Record<string, { schema: object; example: object }> } } }
    >;
  };

  test('the OpenAPI document has every event type with a valid example', () => {
    expect(Object.keys(webhooks)).toEqual([...EVENT_TYPES]);
    for (const type of EVENT_TYPES) {
      const { example } = webhooks[type]!.post.requestBody.content['application/json']!;
      expect(eventBody(type).parse(example)).toEqual(example);
    }
  });
});
