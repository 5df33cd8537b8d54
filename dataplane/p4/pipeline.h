// A program on DPDK's SWX pipeline, interpreted: built once, run by one thread, its tables changed by
// another.
#pragma once

#include <absl/status/statusor.h>
#include <rte_swx_ctl.h>
#include <rte_swx_pipeline.h>

#include <memory>
#include <string>
#include <vector>

#include "dataplane/p4/layout.h"

namespace sluice::p4 {

// One port of the pipeline; `object` is handed to its functions and must outlive the pipeline.
template <class Ops>
struct PortBinding {
  const char* type;
  Ops* ops;
  void* object;
};
struct PortBindings {
  std::vector<PortBinding<rte_swx_port_in_ops>> inputs;  // as many as a power of two
  std::vector<PortBinding<rte_swx_port_out_ops>> outputs;
  uint32_t mirror_port;      // where the first mirror sessions end
  uint32_t mirror_sessions;  // so many
  uint32_t invalid_port;     // where the others end
};

class Pipeline {
 public:
  // The program must have passed check(). The layout is needed only during the call.
  static absl::StatusOr<std::unique_ptr<Pipeline>> build(const Layout& layout, const PortBindings& ports);

  // Of the thread that owns the packets.
  void run(uint32_t instructions) { rte_swx_pipeline_run(pipeline_.get(), instructions); }
  void flush() { rte_swx_pipeline_flush(pipeline_.get()); }

  // Of the control thread. Entries are those of rte_swx_ctl.h; nothing changes before commit(), during which
  // no packet may be inside: DPDK frees the old tables 100 us after it has swapped them, whoever still reads
  // them.
  absl::Status add(const std::string& table, rte_swx_table_entry& entry);
  absl::Status remove(const std::string& table, rte_swx_table_entry& entry);
  absl::Status commit();

  absl::StatusOr<uint64_t> read_register(const std::string& array, uint32_t index) const;

  rte_swx_pipeline* handle() const { return pipeline_.get(); }

 private:
  struct PipelineFree {
    void operator()(rte_swx_pipeline* pipeline) const { rte_swx_pipeline_free(pipeline); }
  };
  struct ControlFree {
    void operator()(rte_swx_ctl_pipeline* control) const { rte_swx_ctl_pipeline_free(control); }
  };

  std::unique_ptr<rte_swx_pipeline, PipelineFree> pipeline_;
  std::unique_ptr<rte_swx_ctl_pipeline, ControlFree> control_;
};

}  // namespace sluice::p4
