-- The quarters of the minutes from before the trigger. This has a migration of its own, so that it holds no lock on
-- "OccupancyMinute" while it reads: nodes go on writing. What they write in the meantime is newer and stays.
INSERT INTO "OccupancyQuarter"
SELECT "sceneId", date_bin('15 minutes', minute, timestamptz '2000-01-01 00:00Z'), sum("coveredMs")::int,
  sum("inQueueMs")::bigint, sum("inServiceMs")::bigint, sum("busyMs")::int, max("maxInQueue"), max("maxInService")
FROM "OccupancyMinute" WHERE minute < date_bin('15 minutes', now(), timestamptz '2000-01-01 00:00Z') - interval '1 day'
GROUP BY 2, 1 ORDER BY 2, 1
ON CONFLICT DO NOTHING;
-- Those that a node may write just now come last and take milliseconds, so that no node waits long for this transaction.
INSERT INTO "OccupancyQuarter"
SELECT "sceneId", date_bin('15 minutes', minute, timestamptz '2000-01-01 00:00Z'), sum("coveredMs")::int,
  sum("inQueueMs")::bigint, sum("inServiceMs")::bigint, sum("busyMs")::int, max("maxInQueue"), max("maxInService")
FROM "OccupancyMinute" WHERE minute >= date_bin('15 minutes', now(), timestamptz '2000-01-01 00:00Z') - interval '1 day'
GROUP BY 2, 1 ORDER BY 2, 1
ON CONFLICT DO NOTHING;
