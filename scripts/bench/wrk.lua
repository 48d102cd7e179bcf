-- Sends the requests of a file in turn, and prints what load-wrk.ts reads.

local requests, sent = {}, 0
unexpected = 0

function setup(thread)
  worker = thread
end

function init(args)
  expected = tonumber(args[2])
  local file = assert(io.open(args[1], "rb"))
  for length in file:lines() do
    requests[#requests + 1] = file:read(tonumber(length))
  end
  file:close()
end

function request()
  sent = sent % #requests + 1
  return requests[sent]
end

function response(status)
  if status ~= expected then unexpected = unexpected + 1 end
end

function done(summary, latency)
  local errors = summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout
  print(string.format('{"rps": %.3f, "p50": %.3f, "p99": %.3f, "unexpected": %d}',
    summary.requests / summary.duration * 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    worker:get("unexpected") + errors))
end
