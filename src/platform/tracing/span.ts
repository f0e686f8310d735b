export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** Where a span belongs: 32 and 16 hexadecimal digits. */
export interface SpanPlace {
  readonly traceId: string;
  readonly spanId: string;
}

export interface NewSpan {
  readonly name: string;
  /** `client`: a call of another program. */
  readonly kind: 'internal' | 'client';
  readonly attributes: Attributes;
  readonly startMs: number;
  /** The span around it; null for the first of its trace. */
  readonly parent: SpanPlace | null;
  /** Of the first span of a trace: where others find it. */
  readonly place: SpanPlace | null;
}

export interface OpenSpan extends SpanPlace {
  /** @param endMs now by default */
  end(attributes: Attributes, error: unknown, endMs?: number): void;
}

/** Collects spans and sends them. */
export interface Tracer {
  begin(span: NewSpan): OpenSpan;
  stop(): Promise<void>;
}
