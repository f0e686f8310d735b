import { Command } from 'commander';
import { count } from './support/options.ts';
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

const log = (text: string): void => void process.stderr.write(`${text}\n`);

/** A delivery in one line. Of its data it shows the field that names the event best. */
function line({ event, deliveryId, isRepeat }: ReceivedDelivery): string {
  const data = event.data as Record<string, unknown>;
  const fields = ['message', 'title', 'deviceName', 'status', 'name', 'featureType', 'period'];
  const subject = fields.map((field) => data[field]).find((value) => value !== undefined && value !== null);
  return `${event.timestamp}  verified  ${event.type.padEnd(23)}  ${subject ?? ''}  (${isRepeat ? 'repeat, ' : ''}${deliveryId})`;
}

async function receive(options: Options): Promise<void> {
  const { host, port, data, json } = options;
  const identity = await ensureIdentity(data);
  const secret = options.secret ?? identity.secret;
  const receiver = await startReceiver({
    ...{ host, port, secret, key: identity.key, certificate: identity.certificate },
    onDelivery: (delivery) =>
      void process.stdout.write(`${json ? JSON.stringify(delivery) : line(delivery)}\n`),
    onRefused: (fault) => log(`refused: ${fault}`),
  });
  const { hostname } = new URL(receiver.url);
  log(`Receiving at ${receiver.url}`);
  log(`Secret       ${secret}`);
  log(`Certificate  ${certificateFile(data)}\n`);
  log(`The demo with it:           npm run demo -- --webhook ${receiver.url}`);
  log(
    `Your own API and workers:   WEBHOOK_ALLOW_HOSTS=${hostname} WEBHOOK_CA_FILE=${certificateFile(data)}\n`,
  );
  await new Promise<void>((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
  await receiver.stop();
}

const program = new Command('webhook-receiver')
  .description(
    'Receives webhook deliveries over TLS, verifies their signatures and prints each in one line. It makes its ' +
      'certificate and its secret at the first start; the demo finds both.',
  )
  .option('--port <n>', 'port on loopback; 0 takes a free one', count(0, 65_535), 9443)
  .option('--host <address>', 'address to listen on', '127.0.0.1')
  .option('--secret <text>', 'secret of the webhook (default: the one it made)')
  .option('--data <folder>', 'folder of certificate, key and secret', RECEIVER_FOLDER)
  .option('--json', 'print each delivery as a JSON document in one line')
  .addHelpText(
    'after',
    '\nExample:\n  npm run webhook-receiver\n  npm run demo -- --webhook https://localhost:9443/',
  )
  .action(receive);

await main(() => program.parseAsync());
