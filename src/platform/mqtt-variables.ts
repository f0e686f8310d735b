import { z } from 'zod';
import { list, number } from './settings.ts';

/** The MQTT broker of MQTT_URL. */
export interface MqttBroker {
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  readonly login: { readonly user: string; readonly password: string } | null;
}

const PLAIN_PORT = 1883;
const TLS_PORT = 8883;
const LIKE = 'must look like mqtt://user:password@host:1883 or mqtts://user:password@host:8883';

/** @throws Error with the end of a sentence about the fault; it does not contain the address */
function readMqttUrl(text: string): MqttBroker {
  if (!URL.canParse(text)) throw new Error(LIKE);
  const { protocol, hostname, port, username, password, pathname, search } = new URL(text);
  if ((protocol !== 'mqtt:' && protocol !== 'mqtts:') || hostname === '') throw new Error(LIKE);
  if (!/^\/?$/.test(pathname) || search !== '')
    throw new Error(
      'has a part behind the port; prefixes of topics are MQTT_PREFIX and MQTT_DISCOVERY_PREFIX',
    );
  if (username === '' && password !== '') throw new Error('has a password without a user');
  const tls = protocol === 'mqtts:';
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (tls ? TLS_PORT : PLAIN_PORT) : Number(port),
    tls,
    login:
      username === '' ? null : { user: decodeURIComponent(username), password: decodeURIComponent(password) },
  };
}

const mqttUrl = z.string().transform((text, context) => {
  try {
    return readMqttUrl(text);
  } catch (error) {
    const message =
      error instanceof URIError ? 'has a % that must be written as %25' : (error as Error).message;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  }
});

/** Begin of a topic: levels of letters, digits, `_`, `-` and `.`, separated by `/`. */
const topicPrefix = z
  .string()
  .max(100)
  .regex(
    /^[\w.-]+(\/[\w.-]+)*$/,
    'must be letters, digits, _, - and . , with / between levels, like shop/cameras',
  );

/** The environment variables of the MQTT bridge. */
export const MQTT_VARIABLES = {
  MQTT_URL: mqttUrl
    .optional()
    .describe(
      'MQTT broker to which the numbers of all scenes and their alert events are published, with Home Assistant discovery: mqtt://user:password@host:1883 or mqtts://user:password@host:8883 (TLS); none by default',
    ),
  MQTT_CA_FILE: z
    .string()
    .min(1)
    .optional()
    .describe(
      'PEM file with certificates that are trusted of the MQTT broker, in addition to the public ones',
    ),
  MQTT_PREFIX: topicPrefix
    .default('video-analytics-service')
    .describe('first part of the MQTT topics; each installation on a broker needs a prefix of its own'),
  MQTT_DISCOVERY_PREFIX: topicPrefix
    .default('homeassistant')
    .describe('discovery prefix of Home Assistant; `none` publishes no discovery messages'),
  MQTT_USER_IDS: list
    .pipe(z.array(z.uuid()))
    .prefault('')
    .describe(
      'ids of the users whose scenes are published by MQTT, separated by commas; all users by default',
    ),
  MQTT_INTERVAL_SECONDS: number(5, 1, 300).describe(
    'seconds between two readings of the numbers for MQTT; only numbers that have changed are published',
  ),
};
