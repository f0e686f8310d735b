import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { Aedes, type Client } from 'aedes';

export interface BrokerMessage {
  readonly topic: string;
  readonly text: string;
  readonly isRetained: boolean;
  readonly qos: number;
}

export interface TestBrokerOptions {
  readonly port?: number;
  readonly login?: { readonly user: string; readonly password: string };
  readonly tls?: { readonly key: string; readonly cert: string };
  /** Topics that nobody may read. */
  readonly unreadable?: RegExp;
}

/** A real MQTT broker on loopback. */
export interface TestBroker {
  readonly port: number;
  /** What came, in order. */
  readonly messages: BrokerMessage[];
  /** Ids of the clients that are connected. */
  readonly clientIds: string[];
  /** Users and passwords of all attempts to connect. */
  readonly logins: (string | undefined)[];
  /** What it has retained, by topic, as JSON where it is JSON. */
  retained(): Record<string, unknown>;
  /** Messages of topics that end so, as JSON. */
  of(end: string): Record<string, unknown>[];
  /** Somebody else publishes. */
  say(topic: string, text: string, retain?: boolean): Promise<void>;
  /** From now on it reads nothing and answers nothing. */
  freeze(): void;
  /** Ends all connections as a cut cable does; it listens on. */
  cut(): void;
  /** Ends all connections and listens no more. What it retained is lost. */
  stop(): Promise<void>;
}

export async function testBroker(options: TestBrokerOptions = {}): Promise<TestBroker> {
  const { login, tls, unreadable } = options;
  const aedes = await Aedes.createBroker();
  const messages: BrokerMessage[] = [];
  const kept = new Map<string, string>();
  const clients = new Map<string, Client>();
  const logins: (string | undefined)[] = [];
  const sockets = new Set<Socket>();
  aedes.authenticate = (_client, user, password, done) => {
    logins.push(user === undefined ? undefined : `${user}:${password?.toString()}`);
    if (!login || (user === login.user && password?.toString() === login.password)) done(null, true);
    else done(Object.assign(new Error('bad login'), { returnCode: 4 }), false);
  };
  aedes.authorizeSubscribe = (_client, subscription, done) =>
    done(null, unreadable?.test(subscription.topic) ? null : subscription);
  aedes.on('clientReady', (client) => clients.set(client.id, client));
  aedes.on('clientDisconnect', (client) => {
    if (clients.get(client.id) === client) clients.delete(client.id);
  });
  aedes.on('publish', ({ topic, payload, retain, qos }) => {
    if (topic.startsWith('$SYS/')) return;
    const text = payload.toString();
    messages.push({ topic, text, isRetained: retain, qos });
    if (!retain) return;
    if (text === '') kept.delete(topic);
    else kept.set(topic, text);
  });
  const take = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    aedes.handle(socket);
  };
  const server: Server = tls ? createTlsServer(tls, take) : createServer(take);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as { port: number }).port,
    messages,
    get clientIds() {
      return [...clients.keys()];
    },
    logins,
    retained: () => Object.fromEntries([...kept].map(([topic, text]) => [topic, asJson(text)])),
    of: (end) =>
      messages
        .filter(({ topic }) => topic.endsWith(end))
        .map(({ text }) => asJson(text) as Record<string, unknown>),
    say: (topic, text, retain = false) =>
      new Promise((resolve, reject) =>
        aedes.publish(
          { cmd: 'publish', qos: 0, dup: false, topic, payload: Buffer.from(text), retain },
          (error) => (error ? reject(error) : resolve()),
        ),
      ),
    freeze() {
      for (const socket of sockets) {
        socket.removeAllListeners('readable');
        socket.removeAllListeners('data');
        socket.pause();
      }
    },
    cut() {
      for (const socket of sockets) socket.destroy();
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      await new Promise<void>((resolve) => aedes.close(() => resolve()));
    },
  };
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
