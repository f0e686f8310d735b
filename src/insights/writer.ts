import type { AlertFacts } from '../alerts/alert-facts.ts';
import type { Operator } from '../alerts/conditions.ts';
import type { Severity } from '../platform/prisma-client/client.ts';
import type { StructuredResult } from './vlm/answer.ts';

/** All that is known of an alert. Names are the users' own words: data, never instructions. */
export interface Material {
  readonly sceneId: string;
  readonly sceneName: string;
  readonly deviceName: string;
  readonly severity: Severity;
  readonly triggeredAt: Date;
  readonly message: string;
  readonly metricPath: string;
  readonly operator: Operator;
  readonly threshold: number;
  readonly actualValue: number;
  /** Null for alerts of before there were any. */
  readonly facts: AlertFacts | null;
  /** JPEG: annotated or clean, the best first. */
  readonly pictures: readonly Uint8Array[];
}

export interface Written {
  readonly result: StructuredResult;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** Who writes insights: a visual language model, or rules. */
export interface InsightWriter {
  readonly name: string;
  readonly model: string | null;
  /** Without a picture there is nothing to write. */
  readonly needsPictures: boolean;
  /** What a call may cost at most; 0 where it costs nothing. */
  readonly reservedTokens: number;
  /** @throws VlmFailure */
  write(material: Material, signal: AbortSignal): Promise<Written>;
}
