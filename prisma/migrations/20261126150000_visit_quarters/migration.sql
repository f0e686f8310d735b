-- Visits are removed after VISIT_RETENTION_DAYS and minutes after MINUTE_RETENTION_DAYS. What metrics over time need of a removed
-- visit moves here in the same statement. A quarter of an hour has one entry in each list for each visit that was decided in it.

CREATE TABLE "VisitQuarter" (
    "sceneId" UUID NOT NULL,
    "quarter" TIMESTAMPTZ(3) NOT NULL,
    "arrivals" INTEGER NOT NULL,
    "outcomes" "VisitOutcome"[] NOT NULL,
    "waitMs" INTEGER[] NOT NULL,
    "serviceMs" INTEGER[] NOT NULL,

    CONSTRAINT "VisitQuarter_pkey" PRIMARY KEY ("sceneId","quarter"),
    CONSTRAINT "VisitQuarter_sceneId_fkey" FOREIGN KEY ("sceneId") REFERENCES "Scene"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "VisitQuarter_lists_check" CHECK (cardinality(outcomes) = cardinality("waitMs") AND cardinality(outcomes) = cardinality("serviceMs"))
);

ALTER TABLE "SceneTotals" ADD COLUMN "minutesSince" TIMESTAMPTZ(3), ADD COLUMN "visitsSince" TIMESTAMPTZ(3);

-- The removal of old minutes keeps their quarters: it sets this for its transaction.
CREATE OR REPLACE TRIGGER occupancy_quarters_delete AFTER DELETE ON "OccupancyMinute"
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT
  WHEN (current_setting('retention.keeps_quarters', true) IS DISTINCT FROM 'on')
  EXECUTE FUNCTION occupancy_quarters();
