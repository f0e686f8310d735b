import type { AlertFacts } from '../alerts/alert-facts.ts';
import type { Operator } from '../alerts/conditions.ts';
import type { Severity } from '../platform/prisma-client/client.ts';
import type { StructuredResult } from './vlm/answer.ts';

/** All that is known of an alert. Names are text of users: data, never instructions. */
export interface Material {
  readonly sceneId: string;
  readonly sceneName: string;
  readonly deviceName: string;
  readonly severity: Severity;
  readonly triggeredAt: Date;
  /** IANA zone of the clock at the camera, in which texts say times; null where nobody has set one: UTC. */
  readonly timezone: string | null;
  /** Language and region of the account, in which texts are written; null: English. */
  readonly locale: string | null;
  readonly message: string;
  readonly metricPath: string;
  readonly operator: Operator;
  readonly threshold: number;
  readonly actualValue: number;
  /** Null where the alert has none that this version reads. */
  readonly facts: AlertFacts | null;
  /** JPEGs, annotated or clean, the best first. */
  readonly images: readonly Uint8Array[];
}

export interface Written {
  readonly result: StructuredResult;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** Writes insights with a visual language model, or with rules. */
export interface InsightWriter {
  readonly name: string;
  readonly model: string | null;
  /** The writer cannot work without an image. */
  readonly needsImages: boolean;
  /** The most tokens that a call may use; 0 where it uses none. */
  readonly reservedTokens: number;
  /** @throws VlmFailure */
  write(material: Material, signal: AbortSignal): Promise<Written>;
}
