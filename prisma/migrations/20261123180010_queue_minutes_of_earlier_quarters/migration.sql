-- The quarters from before the trigger wrote these columns. A migration of its own, so that it holds no lock on the table while it
-- reads: nodes go on writing. A quarter that a node has written in the meantime has the columns already and is left alone.
UPDATE "OccupancyQuarter" q SET "minuteAverages" = m.averages, "minuteMaxima" = m.maxima
FROM (
  SELECT "sceneId", date_bin('15 minutes', minute, timestamptz '2000-01-01 00:00Z') AS quarter,
    array_agg(least("inQueueMs" / "coveredMs", 32767)::smallint ORDER BY minute) AS averages,
    array_agg(least("maxInQueue", 32767)::smallint ORDER BY minute) AS maxima
  FROM "OccupancyMinute"
  WHERE "coveredMs" > 0 AND minute < date_bin('15 minutes', now(), timestamptz '2000-01-01 00:00Z') - interval '1 day'
  GROUP BY 1, 2) m
WHERE q."sceneId" = m."sceneId" AND q.quarter = m.quarter AND q."minuteAverages" IS NULL;
-- Those that a node may write just now come last and take milliseconds, so that no node waits long for this transaction.
UPDATE "OccupancyQuarter" q SET "minuteAverages" = m.averages, "minuteMaxima" = m.maxima
FROM (
  SELECT "sceneId", date_bin('15 minutes', minute, timestamptz '2000-01-01 00:00Z') AS quarter,
    array_agg(least("inQueueMs" / "coveredMs", 32767)::smallint ORDER BY minute) AS averages,
    array_agg(least("maxInQueue", 32767)::smallint ORDER BY minute) AS maxima
  FROM "OccupancyMinute"
  WHERE "coveredMs" > 0 AND minute >= date_bin('15 minutes', now(), timestamptz '2000-01-01 00:00Z') - interval '1 day'
  GROUP BY 1, 2) m
WHERE q."sceneId" = m."sceneId" AND q.quarter = m.quarter AND q."minuteAverages" IS NULL;
