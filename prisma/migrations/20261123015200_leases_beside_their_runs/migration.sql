-- A lease has a row of its own: whoever prolongs it waits for nobody who writes the run, and the other way round.
CREATE TABLE "RunLease" (
  "taskId" UUID NOT NULL,
  "epoch" INTEGER NOT NULL,
  "expiresAt" TIMESTAMPTZ(3) NOT NULL,

  CONSTRAINT "RunLease_pkey" PRIMARY KEY ("taskId")
);
ALTER TABLE "RunLease" ADD CONSTRAINT "RunLease_taskId_fkey"
  FOREIGN KEY ("taskId") REFERENCES "AnalysisTask"("id") ON DELETE CASCADE ON UPDATE CASCADE;

INSERT INTO "RunLease" ("taskId", epoch, "expiresAt")
SELECT id, epoch, "leaseExpiresAt" FROM "AnalysisTask" WHERE status = 'PROCESSING' AND "leaseExpiresAt" IS NOT NULL;

-- Its index goes with it.
ALTER TABLE "AnalysisTask" DROP COLUMN "leaseExpiresAt";
