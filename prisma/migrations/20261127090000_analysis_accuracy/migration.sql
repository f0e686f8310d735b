-- How large the input of the detector is for a device. The default is a constant, so no row is written.
CREATE TYPE "AnalysisAccuracy" AS ENUM ('standard', 'high');
ALTER TABLE "Device" ADD COLUMN "analysisAccuracy" "AnalysisAccuracy" NOT NULL DEFAULT 'standard';
