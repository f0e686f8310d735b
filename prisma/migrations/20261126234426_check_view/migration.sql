-- The view of the camera of a finished check, small and without people, for its report.
CREATE TABLE "CheckView" (
  "checkId" UUID NOT NULL,
  "jpeg" BYTEA NOT NULL,
  CONSTRAINT "CheckView_pkey" PRIMARY KEY ("checkId"),
  CONSTRAINT "CheckView_checkId_fkey" FOREIGN KEY ("checkId") REFERENCES "SceneCheck"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
