import { createServer } from 'node:net';
import { Command } from 'commander';
import { BrokerConnection, trustedOf } from '../../src/mqtt/connection.ts';
import { loadConfig } from '../../src/platform/config.ts';
import type { MqttBroker } from '../../src/platform/mqtt-variables.ts';
import { count } from '../support/options.ts';
import { main } from '../support/terminal.ts';

const log = (text: string): void => void process.stderr.write(`${text}\n`);

/** A broker for a try-out: no login, on loopback only, nothing survives its end. */
async function startBroker(port: number): Promise<MqttBroker> {
  const { Aedes } = await import('aedes');
  const aedes = await Aedes.createBroker();
  const server = createServer(aedes.handle);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const listening = (server.address() as { port: number }).port;
  log(`A broker listens. Start the service with  MQTT_URL=mqtt://127.0.0.1:${listening}\n`);
  return { host: '127.0.0.1', port: listening, tls: false, login: null };
}

async function show({ broker: port, discovery }: { broker?: number; discovery?: boolean }): Promise<void> {
  const config = loadConfig();
  const broker = port === undefined ? config.mqttUrl : await startBroker(port);
  if (!broker)
    throw new Error('MQTT_URL is not set. `npm run mqtt -- --broker` starts a broker for a try-out.');
  const connection = await BrokerConnection.open({
    broker,
    secureContext: trustedOf(config.mqttCaFile),
    clientId: `vas-show-${process.pid}`,
    onMessage: ({ topic, text, isRetained }) =>
      void process.stdout.write(`${isRetained ? 'retained' : 'new     '}  ${topic}  ${text}\n`),
    onLost: (error) => {
      log(error.message);
      process.exit(1);
    },
  });
  const filters = [`${config.mqttPrefix}/#`, ...(discovery ? [`${config.mqttDiscoveryPrefix}/#`] : [])];
  if (!(await connection.subscribe(filters))) log('The broker lets this user read only a part.');
  log(`Messages of ${filters.join(' and ')}, until Ctrl-C:`);
  await new Promise<void>((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
  await connection.close();
  process.exit(0);
}

const program = new Command('mqtt')
  .description('Prints what is published to the MQTT broker of MQTT_URL, below MQTT_PREFIX.')
  .option('--discovery', 'also print the discovery messages of Home Assistant')
  .option(
    '--broker [port]',
    'start a broker of its own on loopback, without a login, and use that one',
    (text) => count(0, 65_535)(text),
  )
  .addHelpText('after', '\nExample:\n  npm run mqtt -- --broker 1883')
  .action((options: { broker?: number | true; discovery?: boolean }) =>
    show({
      ...options,
      ...(options.broker === true ? { broker: 1883 } : { broker: options.broker as number }),
    }),
  );

await main(() => program.parseAsync());
