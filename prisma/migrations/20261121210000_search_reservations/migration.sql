-- What a search has reserved of tokens and not settled yet: given back by whoever looks, where its process has died.
CREATE TABLE "SearchReservation" (
    "sourceId" VARCHAR(200) NOT NULL,
    "deadlineAt" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "SearchReservation_pkey" PRIMARY KEY ("sourceId")
);
CREATE INDEX "SearchReservation_deadlineAt_idx" ON "SearchReservation"("deadlineAt");
