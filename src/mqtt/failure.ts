import type { MqttBroker } from '../platform/mqtt-variables.ts';

/** Return codes of MQTT 3.1.1 with which a broker refuses a connection. */
const REFUSALS: Readonly<Record<number, string>> = {
  1: 'does not speak MQTT 3.1.1',
  2: 'refuses the client id',
  3: 'is not available now',
  4: 'refuses the user or the password of MQTT_URL',
  5: 'refuses the user or the password of MQTT_URL, or its access list forbids the connection',
};

const WORDS: readonly (readonly [RegExp, string])[] = [
  [/^ECONNREFUSED$/, 'does not listen there: check host and port of MQTT_URL'],
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'has a name that is not found: check the host of MQTT_URL'],
  [/^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/, 'cannot be reached: check host, port and firewall'],
  [
    /^(UNABLE_TO_VERIFY_LEAF_SIGNATURE|SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|CERT_\w+|UNABLE_TO_GET_ISSUER_CERT\w*)$/,
    'has a certificate that is not trusted: give its authority in MQTT_CA_FILE',
  ],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'has a certificate for another name: use that name in MQTT_URL'],
  [/^(EPROTO|ERR_SSL_\w+)$/, 'does not speak TLS there: use mqtt:, or the port of TLS'],
];

/** A connection to a broker that failed, in one sentence without user and password. */
export class BrokerFailure extends Error {
  constructor(broker: MqttBroker, error: unknown) {
    super(`The MQTT broker ${broker.host}:${broker.port} ${wordsOf(error)}.`);
    this.name = 'BrokerFailure';
  }
}

function wordsOf(error: unknown): string {
  const { code, errors } = (error ?? {}) as { code?: unknown; errors?: readonly unknown[] };
  // Of several addresses of a name, each of which failed.
  if (errors?.[0] !== undefined) return wordsOf(errors[0]);
  if (typeof code === 'number') return REFUSALS[code] ?? `refuses the connection (code ${code})`;
  const known = WORDS.find(([pattern]) => pattern.test(String(code)));
  if (known) return known[1];
  if (typeof code === 'string') return `cannot be used (${code})`;
  return 'ends the connection';
}
