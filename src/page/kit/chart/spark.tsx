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
  const pieces: string[][] = [[]];
  for (const [at, value] of values.entries()) {
    if (value === null) pieces.push([]);
    else pieces.at(-1)!.push(`${x(at).toFixed(1)},${y(value).toFixed(1)}`);
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
      {pieces
        .filter((piece) => piece.length > 0)
        .map((piece) =>
          piece.length === 1 ? (
            <circle
              key={piece[0]}
              cx={piece[0]!.split(',')[0]}
              cy={piece[0]!.split(',')[1]}
              r="1.5"
              className={styles.dot}
            />
          ) : (
            <polyline
              key={piece[0]}
              points={piece.join(' ')}
              className={styles.line}
              vectorEffect="non-scaling-stroke"
            />
          ),
        )}
    </svg>
  );
}
