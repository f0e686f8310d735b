import { z } from 'zod';

/** The most characters of a text in a cause: a driver may write pages. */
const MAX_TEXT = 300;

const text = (description: string) => z.string().max(MAX_TEXT).meta({ description });
const count = (description: string) => z.int().min(0).meta({ description });
const code = <const Codes extends readonly [string, ...string[]]>(...codes: Codes) =>
  z.enum(codes).meta({ description: 'What it is, as a code' });
const detail = text(`What the program or driver said, at most ${MAX_TEXT} characters`);

/** Why a node works badly, or without the hardware that it might use: a code with its numbers and names. */
export const nodeCause = z
  .discriminatedUnion('code', [
    z.strictObject({
      code: code('clock_differs'),
      seconds: z.number().meta({ description: 'Clock of the node minus that of the database' }),
    }),
    z.strictObject({
      code: code('overloaded'),
      late: count('Cameras that are analysed too slowly'),
      cameras: count('Cameras of the node'),
    }),
    z.strictObject({ code: code('old_ffmpeg'), release: count('Release of ffmpeg or ffprobe') }),
    z.strictObject({ code: code('model_of_integers'), model: text('Model that runs on the CPU only') }),
    z.strictObject({
      code: code('lanes_ended', 'writes_failed', 'cuda_missing', 'gpu_slower', 'gpu_failed', 'no_decoder'),
      detail,
    }),
    z.strictObject({ code: code('gpu_unusable'), provider: text('What was to run the model'), detail }),
    z.strictObject({ code: code('decoder_unusable'), hardware: text('What was to decode video'), detail }),
    z.strictObject({
      code: code('decoder_failed'),
      hardware: text('What was to decode video'),
      camera: text('Address of the camera, without its login'),
      detail,
    }),
  ])
  .meta({ id: 'ComputeNodeCause', example: { code: 'overloaded', late: 2, cameras: 5 } });

type NodeCause = z.output<typeof nodeCause>;

/** The same in a sentence of English, which the log and clients of the API read, and for programs that have words of their own. */
export interface NodeReason {
  readonly sentence: string;
  readonly cause: NodeCause;
}

/** The reasons of a node, of which each is null where nothing is to be said. */
export interface NodeReasons {
  readonly health: NodeReason | null;
  readonly provider: NodeReason | null;
  readonly videoDecoder: NodeReason | null;
}

export type NodeCauses = Readonly<Record<keyof NodeReasons, NodeCause | null>>;
const NO_CAUSES = { health: null, provider: null, videoDecoder: null };
const stored = nodeCause.nullable().catch(null);
const Causes = z.object({ health: stored, provider: stored, videoDecoder: stored }).catch(NO_CAUSES);

/** As the node's row has them; null for each that this version does not know. */
export const readCauses = (value: unknown): NodeCauses => Causes.parse(value);

/**
 * For the node's row, with texts cut.
 * @param incarnation of the worker that writes them: a worker of the version before, which knows sentences only, makes them void
 */
export const causesJson = (incarnation: string, { health, provider, videoDecoder }: NodeReasons): string =>
  JSON.stringify(
    {
      incarnation,
      health: health?.cause ?? null,
      provider: provider?.cause ?? null,
      videoDecoder: videoDecoder?.cause ?? null,
    },
    (_, value: unknown) => (typeof value === 'string' ? storable(value) : value),
  );

/** PostgreSQL takes neither NUL nor half of a pair of surrogates, which a cut may leave. */
const storable = (value: string): string => value.slice(0, MAX_TEXT).replace(/\0|\p{Surrogate}/gu, '');
