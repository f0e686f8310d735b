-- What part of the picture is analysed; null: it follows from the plan of the device.
CREATE TYPE "AnalysisRegion" AS ENUM ('zones', 'whole');
ALTER TABLE "Device" ADD COLUMN "analysisRegion" "AnalysisRegion";
