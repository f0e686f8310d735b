import { env, InferenceSession } from 'onnxruntime-node';
import type { ExecutionProvider } from '../vision/detect/detector.ts';
import { decodeOnnx } from './onnx/onnx-graph.ts';
import { isQuantised } from './onnx/saturation.ts';
import { sessionOptions } from './session-options.ts';

// Errors are thrown with our own messages; the library would also print them.
env.logLevel = 'fatal';

export interface SessionPlace {
  /** Threads of one inference on the CPU; 1 by default, because lanes are processes. */
  readonly threads?: number | undefined;
  /** `cpu` by default. A GPU that cannot be used is replaced by the CPU, and `onProgress` gets the reason. */
  readonly executionProvider?: ExecutionProvider | undefined;
  readonly onProgress?: ((message: string) => void) | undefined;
  /** Gets the reason when a GPU fails in mid-run. The run that failed then never settles, so that nothing takes its result. */
  readonly onLost?: ((reason: string) => void) | undefined;
}

/** A network that is open, and what runs it. */
export interface OpenSession {
  readonly session: Pick<InferenceSession, 'run' | 'release'>;
  readonly executionProvider: ExecutionProvider;
  /** Why it is not the wanted one, one sentence; null when it is. */
  readonly fallback: string | null;
}

/**
 * Opens any network of this service: the only place where a session is created.
 * @param name of the model, for messages
 * @throws Error with one sentence when the library does not run the file
 */
export async function openSession(
  name: string,
  bytes: Uint8Array,
  { threads = 1, executionProvider = 'cpu', onProgress, onLost }: SessionPlace,
): Promise<OpenSession> {
  const common = sessionOptions(bytes, threads);
  const create = (executionProviders: string[]) =>
    InferenceSession.create(bytes, { ...common, executionProviders });
  let fallback: string | null = null;
  if (executionProvider !== 'cpu') {
    try {
      if (isQuantised(decodeOnnx(bytes))) throw new Error('networks of 8-bit integers run on the CPU only');
      const session = await create([executionProvider, 'cpu']);
      return { session: watched(session, onLost), executionProvider, fallback };
    } catch (error) {
      fallback = `${name} does not run with ${executionProvider}, but on the CPU: ${reasonOf(error)}.`;
      onProgress?.(fallback);
    }
  }
  try {
    return { session: await create(['cpu']), executionProvider: 'cpu', fallback };
  } catch (error) {
    throw new Error(
      `ONNX Runtime does not open the model ${name} (${reasonOf(error)}): its file is not a network this version runs; take another model or file.`,
    );
  }
}

/** A session on a GPU, whose device can be lost at any time: the driver crashed, the card was unplugged. */
function watched(
  session: InferenceSession,
  onLost: SessionPlace['onLost'],
): Pick<InferenceSession, 'run' | 'release'> {
  if (!onLost) return session;
  const run = async (...args: Parameters<InferenceSession['run']>) => {
    try {
      return await session.run(...args);
    } catch (error) {
      onLost(reasonOf(error));
      return new Promise<never>(() => undefined);
    }
  };
  return { run: run as InferenceSession['run'], release: () => session.release() };
}

/** The text of an error of the library, without its source files. */
export function reasonOf(error: unknown): string {
  const line = String((error as Error).message)
    .replace(/\n.*/s, '')
    .trim();
  const [, said = line] = /was false\. (.+)$/.exec(line) ?? [];
  return said.replace(/[.:\s]+$/, '');
}
