-- Where the people of a scene were and how they moved: one row for each hour with frames.
CREATE TABLE "FloorHour" (
    "sceneId" UUID NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "coveredMs" INTEGER NOT NULL,
    "cells" BYTEA NOT NULL,

    CONSTRAINT "FloorHour_pkey" PRIMARY KEY ("sceneId","hour")
);

CREATE INDEX "FloorHour_hour_idx" ON "FloorHour" USING BRIN ("hour");

ALTER TABLE "FloorHour" ADD CONSTRAINT "FloorHour_sceneId_fkey" FOREIGN KEY ("sceneId") REFERENCES "Scene"("id") ON DELETE CASCADE ON UPDATE CASCADE;
