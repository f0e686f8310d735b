import { Command, InvalidArgumentError } from 'commander';
import { main } from './support/terminal.ts';
import { certificateFile, ensureIdentity, RECEIVER_FOLDER } from './webhook-receiver/certificate.ts';
import { type ReceivedDelivery, startReceiver } from './webhook-receiver/receiver.ts';

interface Options {
  readonly port: number;
  readonly host: string;
  readonly secret?: string;
  readonly data: string;
  readonly json?: boolean;
}

function portNumber(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > 65_535) throw new InvalidArgumentError('It must be a port, 0 to 65535.');
  return value;
}

const say = (text: string): void => void process.stderr.write(`${text}\n`);

/** A delivery in one line, alerts by their message. */
function line({ event, deliveryId, isRepeat }: ReceivedDelivery): string {
  const { message, title, status, deviceName, name, featureType, period } = event.data as Record<
    string,
    unknown
  >;
  const told = message ?? title ?? deviceName ?? status ?? name ?? featureType ?? period ?? '';
  return `${event.timestamp}  verified  ${event.type.padEnd(23)}  ${told}  (${isRepeat ? 'repeat, ' : ''}${deliveryId})`;
}

async function receive(options: Options): Promise<void> {
  const identity = await ensureIdentity(options.data);
  const secret = options.secret ?? identity.secret;
  const receiver = await startReceiver({
    ...{ host: options.host, port: options.port, secret },
    ...{ key: identity.key, certificate: identity.certificate },
    onDelivery: (delivery) =>
      void process.stdout.write(`${options.json ? JSON.stringify(delivery) : line(delivery)}\n`),
    onRefused: (fault) => say(`refused: ${fault}`),
  });
  const { host } = new URL(receiver.url);
  say(`Receiving at ${receiver.url}`);
  say(`Secret       ${secret}`);
  say(`Certificate  ${certificateFile(options.data)}\n`);
  say(`The demo with it:      npm run demo -- --webhook ${receiver.url}`);
  say(
    `Workers and API of your own: WEBHOOK_ALLOW_HOSTS=${host.replace(/:\d+$/, '')} WEBHOOK_CA_FILE=${certificateFile(options.data)}\n`,
  );
  await new Promise<void>((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
  await receiver.stop();
}

const program = new Command('webhook-receiver')
  .description(
    'Receives webhook deliveries over TLS, checks their signatures and prints them, a line each.\nIts certificate and secret are made at the first start; the demo finds both.',
  )
  .option('--port <n>', 'port on loopback; 0 takes a free one', portNumber, 9443)
  .option('--host <address>', 'address to listen on', '127.0.0.1')
  .option('--secret <text>', 'secret of the webhook; its own where not given')
  .option('--data <folder>', 'where certificate, key and secret are kept', RECEIVER_FOLDER)
  .option('--json', 'print each delivery as a JSON document in a line')
  .addHelpText(
    'after',
    '\nExample:\n  npm run webhook-receiver\n  npm run demo -- --webhook https://localhost:9443/',
  )
  .action(receive);

await main(() => program.parseAsync());
