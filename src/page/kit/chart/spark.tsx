import styles from './spark.module.css';

interface SparkProps {
  /** Oldest first; null where nothing was measured, which leaves a gap. */
  readonly values: readonly (number | null)[];
  /** What it shows, for screen readers. */
  readonly label: string;
}

const WIDTH = 120;
const HEIGHT = 32;

/** A small curve without axes. */
export function Spark({ values, label }: SparkProps) {
  const most = Math.max(1, ...values.map((value) => value ?? 0));
  const x = (at: number) => (values.length < 2 ? 0 : (at / (values.length - 1)) * WIDTH);
  const y = (value: number) => HEIGHT - 2 - (value / most) * (HEIGHT - 4);
  let piece: (readonly [x: string, y: string])[] = [];
  const pieces = [piece];
  for (const [at, value] of values.entries()) {
    if (value === null) {
      piece = [];
      pieces.push(piece);
    } else piece.push([x(at).toFixed(1), y(value).toFixed(1)]);
  }
  return (
    <svg
      className={styles.spark}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <line
        x1="0"
        x2={WIDTH}
        y1={HEIGHT - 1}
        y2={HEIGHT - 1}
        className={styles.base}
        vectorEffect="non-scaling-stroke"
      />
      {pieces.map(
        ([first, ...others]) =>
          first &&
          (others.length === 0 ? (
            <circle key={first.join()} cx={first[0]} cy={first[1]} r="1.5" className={styles.dot} />
          ) : (
            <polyline
              key={first.join()}
              points={[first, ...others].join(' ')}
              className={styles.line}
              vectorEffect="non-scaling-stroke"
            />
          )),
      )}
    </svg>
  );
}
