import { ERRORS } from '../errors.ts';
import { rolesTable } from '../roles.ts';

/** @param isAlways whether every answer that documents the header has it */
const header = (description: string, type: 'string' | 'integer', isAlways = false) => ({
  description,
  required: isAlways,
  schema: { type, description },
});

/** The headers of answers, as components of the OpenAPI document. */
export const HEADERS = {
  'X-Request-Id': header('Id of the request; also in `meta.requestId` and in the log', 'string', true),
  RateLimit: header(
    'Remaining limit: `"requests";r=<remaining requests>;t=<seconds until the reset>`',
    'string',
  ),
  'RateLimit-Policy': header(
    'Policy: `"requests";q=<allowed requests>;w=<length of the window in seconds>`',
    'string',
  ),
  'Retry-After': header('Seconds to wait; with 409 and 503 only if the time is known', 'integer'),
  'Idempotency-Replayed': header('`true` if this is the stored answer of an earlier call', 'string'),
  'X-Captured-At': header(
    'When the camera’s frame of this image came, ISO 8601 in UTC with milliseconds',
    'string',
  ),
  'WWW-Authenticate': header('Always `Bearer`', 'string', true),
};

const SPECIAL: Readonly<Record<number, (keyof typeof HEADERS)[]>> = {
  401: ['WWW-Authenticate'],
  402: ['Idempotency-Replayed'],
  404: ['Idempotency-Replayed'],
  409: ['Idempotency-Replayed', 'Retry-After'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

/** References to the headers of an answer with this status. */
export function headersOf(status: number, more: readonly (keyof typeof HEADERS)[] = []) {
  const names = ['X-Request-Id', 'RateLimit', 'RateLimit-Policy', ...(SPECIAL[status] ?? []), ...more];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** What applies to every operation, as Markdown. */
export function introduction(): string {
  const errors = Object.entries(ERRORS).map(
    ([code, { status, meaning }]) => `| ${status} | \`${code}\` | ${meaning} |`,
  );
  return `The service analyses the cameras of shops, banks and clinics: it measures how long queues are, how long people
wait and are served, and how many leave without being served.

**API keys.** Send \`Authorization: Bearer <API_KEY>\` with every call. A key has scopes; each operation names the scope it
requires.

**Sessions** are for web pages of this service: \`POST /session\` exchanges an e-mail address and password, a one-time code
or an API key for a cookie that scripts cannot read. A session works only from pages of the same host: a call that changes
something needs \`Sec-Fetch-Site: same-origin\` or, where the browser does not send that header, an \`Origin\` of the same host; otherwise
the answer is \`CROSS_ORIGIN\`. A request with a header \`Authorization\` never uses the cookie. The scopes of a session are
those of its role, and never more than those of the key or session from which its code comes:

${rolesTable()}

**Answers.** Bodies are JSON in an envelope: \`success\`, \`statusCode\`, \`data\` and \`meta\` (\`timestamp\`, \`requestId\`).
An error has \`message\` (what to do) and \`error.code\` (for programs). Times are ISO 8601 in UTC with milliseconds. Ranges
are half-open, \`[start, end)\`. Ids are UUIDs. A resource of another user gets the same answer as one that does not exist.

**Lists** take \`page\` and \`limit\`. Totals are exact; a page past the end is empty.

**Faults of a request** are answered with 400. \`error.details\` lists every fault: the field, what was expected, what was
received and, if possible, what to do. Unknown query parameters and unknown fields of a body are faults; the message names
the most similar known one (\`deviceID\`: did you mean \`deviceId\`?). A parameter may be sent only once. Messages never
contain API keys, secrets or stream addresses.

**Repeating calls.** A call that creates something accepts a header \`Idempotency-Key\`: a random text such as a UUID, new for
each resource. If you get no answer, send the call again with the same key. It is executed once, and for 24 hours the same
key gets the first answer again, byte for byte, with \`Idempotency-Replayed: true\`. Successes and the failures 402, 404 and
409 of the operation are stored; after such a failure correct the cause and use a new key. After 400, 401, 403, 429 and 5xx
you can send the same key again. The same key with another request is \`IDEMPOTENCY_KEY_REUSED\`. While the first call is
running, the answer is \`IDEMPOTENCY_KEY_IN_USE\`. Keys belong to the user and the operation. Calls that do not document the
header ignore it.

**Limits.** \`RateLimit\` and \`RateLimit-Policy\` show what is left. A body may have at most 256 KB, one of a call without key or session 16 KB.

| status | code | meaning |
|---|---|---|
${errors.join('\n')}
`;
}
