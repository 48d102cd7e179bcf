-- Sends the requests of a file in turn, and prints what load-wrk.ts reads. There is no `response` here: with one, wrk
-- would spend on every answer what it takes from the server that it measures.

local requests, sent = {}, 0

function init(args)
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

function done(summary, latency)
  local errors = summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout
  print(string.format('{"rps": %.3f, "p50": %.3f, "p99": %.3f, "answers": %d, "refusals": %d, "errors": %d}',
    summary.requests / summary.duration * 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    summary.requests, summary.errors.status, errors))
end
