import { ERRORS } from '../errors.ts';

/** @param isAlways whether every answer that lists the header has it */
const header = (description: string, type: 'string' | 'integer', isAlways = false) => ({
  description,
  required: isAlways,
  schema: { type, description },
});

/** The headers of answers, as components of the document. */
export const HEADERS = {
  'X-Request-Id': header('Id of the request; also in `meta.requestId` and in the log', 'string', true),
  RateLimit: header('What is left: `"requests";r=<requests left>;t=<seconds until it is renewed>`', 'string'),
  'RateLimit-Policy': header(
    'What there is: `"requests";q=<requests>;w=<seconds they are counted over>`',
    'string',
  ),
  'Retry-After': header('Seconds to wait; of a 409 and a 503 only where somebody knows', 'integer'),
  'Idempotency-Replayed': header('`true` where the call was made before and this is its answer', 'string'),
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

/** The headers of an answer of this status, as references to those components. */
export function headersOf(status: number, more: readonly (keyof typeof HEADERS)[] = []) {
  const names = ['X-Request-Id', 'RateLimit', 'RateLimit-Policy', ...(SPECIAL[status] ?? []), ...more];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** What holds for every operation, as Markdown. */
export function introduction(): string {
  const errors = Object.entries(ERRORS).map(
    ([code, { status, meaning }]) => `| ${status} | \`${code}\` | ${meaning} |`,
  );
  return `Point it at the cameras of a shop, a bank or a clinic: it says how long the queues are, how long people wait and
are served, and how many give up.

**Keys.** Every call carries \`Authorization: Bearer <API_KEY>\`. A key has scopes; each operation names the one it wants.

**Answers.** Bodies are JSON in an envelope: \`success\`, \`statusCode\`, \`data\` and \`meta\` (\`timestamp\`, \`requestId\`); an error
has \`message\` (what to do) and \`error.code\` (for programs). Times are ISO 8601, UTC, with milliseconds; windows are
half-open, \`[start, end)\`; ids are UUIDs. What is not yours answers exactly like what does not exist.

**Lists** take \`page\` and \`limit\`; totals are exact, and a page past the end is empty.

**Faults of a request** are answered 400 with every fault in \`error.details\`: the field, what was expected, what was received
and, where that can be told, what to do. A query parameter or a field of a body that the call does not know is a fault; the
message names the closest one that it knows (\`deviceID\`: did you mean \`deviceId\`?). Give a parameter once: a second value is
refused. Keys, secrets and stream addresses are never repeated in a message.

**Repeating.** A call that creates takes a header \`Idempotency-Key\`: a random text of your own, such as a UUID, new for each
thing that is to be made. Send the call again with the same key when you got no answer: it is done once, and for a day the
same key gets the first answer again, byte for byte, with \`Idempotency-Replayed: true\`. Kept are successes and the failures
402, 404 and 409, by which the service says that nothing was made: after one of them change what it names and use a new key.
After 400, 401, 403, 429 and 5xx the same key may be sent again. The same key with another request is
\`IDEMPOTENCY_KEY_REUSED\`; while the first call has not ended, \`IDEMPOTENCY_KEY_IN_USE\`. Keys belong to the user and the
operation. Calls that do not list the header ignore it.

**Limits.** \`RateLimit\` and \`RateLimit-Policy\` say what is left. A body may have 256 KB.

| status | code | meaning |
|---|---|---|
${errors.join('\n')}
`;
}
