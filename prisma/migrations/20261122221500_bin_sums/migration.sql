-- Sums beside the counts of each bin: a percentile of the totals is read from the mean of its bin.
ALTER TABLE "SceneTotals"
    ADD COLUMN "waitBinSeconds" DOUBLE PRECISION[] DEFAULT ARRAY[]::DOUBLE PRECISION[],
    ADD COLUMN "serviceBinSeconds" DOUBLE PRECISION[] DEFAULT ARRAY[]::DOUBLE PRECISION[];

-- What was counted before lies in the middle of its bin. The first bin ends at 1 s, each next one 5 % later.
UPDATE "SceneTotals" SET
    "waitBinSeconds" = coalesce((
        SELECT array_agg(counted * CASE WHEN bin = 1 THEN 0.5 ELSE 1.025 * power(1.05::float8, bin - 2) END ORDER BY bin)
        FROM unnest("waitHistogram") WITH ORDINALITY AS h(counted, bin)), '{}'),
    "serviceBinSeconds" = coalesce((
        SELECT array_agg(counted * CASE WHEN bin = 1 THEN 0.5 ELSE 1.025 * power(1.05::float8, bin - 2) END ORDER BY bin)
        FROM unnest("serviceHistogram") WITH ORDINALITY AS h(counted, bin)), '{}');
