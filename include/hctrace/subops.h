/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The sub-operations of hypercalls, one X-macro table a family, all of them from
 * Xen 4.2 on. A name is that of Xen's constant without its prefix, in lower case;
 * the public header it is from stands above each table. No number was ever reused
 * for something else unless that is said there. Numbers have gaps, in domctl one
 * from 90 to 1000: only those of the families that Xen records may serve as
 * indices (names.h).
 *
 * Xen records the sub-operation of the first three. That of the others is either
 * an argument that Xen does not record (memory_op, hvm_op...) or it lies in guest
 * memory (domctl, sysctl, mmuext_op...).
 */
#ifndef HCTRACE_SUBOPS_H
#define HCTRACE_SUBOPS_H

/* Every family: the name of its hypercall in HCT_OPS, and its table. */
#define HCT_SUBOP_FAMILIES(F) \
	F(grant_table_op, HCT_GRANT_OPS)	\
	F(vcpu_op, HCT_VCPU_OPS)		\
	F(sched_op, HCT_SCHED_OPS)		\
	F(mmuext_op, HCT_MMUEXT_OPS)		\
	F(memory_op, HCT_MEMORY_OPS)		\
	F(event_channel_op, HCT_EVENT_CHANNEL_OPS) \
	F(physdev_op, HCT_PHYSDEV_OPS)		\
	F(xen_version, HCT_XEN_VERSION_OPS)	\
	F(console_io, HCT_CONSOLE_IO_OPS)	\
	F(vm_assist, HCT_VM_ASSIST_OPS)		\
	F(nmi_op, HCT_NMI_OPS)			\
	F(callback_op, HCT_CALLBACK_OPS)	\
	F(hvm_op, HCT_HVM_OPS)			\
	F(dm_op, HCT_DM_OPS)			\
	F(kexec_op, HCT_KEXEC_OPS)		\
	F(argo_op, HCT_ARGO_OPS)		\
	F(xenpmu_op, HCT_XENPMU_OPS)		\
	F(hypfs_op, HCT_HYPFS_OPS)		\
	F(mca, HCT_MCA_OPS)			\
	F(tmem_op, HCT_TMEM_OPS)		\
	F(xsm_op, HCT_XSM_OPS)			\
	F(platform_op, HCT_PLATFORM_OPS)	\
	F(sysctl, HCT_SYSCTL_OPS)		\
	F(domctl, HCT_DOMCTL_OPS)

/* grant_table.h: GNTTABOP_ */
#define HCT_GRANT_OPS(X) \
	X(0, map_grant_ref)		\
	X(1, unmap_grant_ref)		\
	X(2, setup_table)		\
	X(3, dump_table)		\
	X(4, transfer)			\
	X(5, copy)			\
	X(6, query_size)		\
	X(7, unmap_and_replace)		\
	X(8, set_version)		\
	X(9, get_status_frames)		\
	X(10, get_version)		\
	X(11, swap_grant_ref)		\
	X(12, cache_flush)

/* vcpu.h: VCPUOP_ */
#define HCT_VCPU_OPS(X) \
	X(0, initialise)		\
	X(1, up)			\
	X(2, down)			\
	X(3, is_up)			\
	X(4, get_runstate_info)		\
	X(5, register_runstate_memory_area) \
	X(6, set_periodic_timer)	\
	X(7, stop_periodic_timer)	\
	X(8, set_singleshot_timer)	\
	X(9, stop_singleshot_timer)	\
	X(10, register_vcpu_info)	\
	X(11, send_nmi)			\
	X(12, get_physid)		\
	X(13, register_vcpu_time_memory_area) \
	X(14, register_runstate_phys_area) \
	X(15, register_vcpu_time_phys_area)

/* sched.h: SCHEDOP_ */
#define HCT_SCHED_OPS(X) \
	X(0, yield)			\
	X(1, block)			\
	X(2, shutdown)			\
	X(3, poll)			\
	X(4, remote_shutdown)		\
	X(5, shutdown_code)		\
	X(6, watchdog)			\
	X(7, pin_override)

/* xen.h: MMUEXT_ */
#define HCT_MMUEXT_OPS(X) \
	X(0, pin_l1_table)		\
	X(1, pin_l2_table)		\
	X(2, pin_l3_table)		\
	X(3, pin_l4_table)		\
	X(4, unpin_table)		\
	X(5, new_baseptr)		\
	X(6, tlb_flush_local)		\
	X(7, invlpg_local)		\
	X(8, tlb_flush_multi)		\
	X(9, invlpg_multi)		\
	X(10, tlb_flush_all)		\
	X(11, invlpg_all)		\
	X(12, flush_cache)		\
	X(13, set_ldt)			\
	X(15, new_user_baseptr)		\
	X(16, clear_page)		\
	X(17, copy_page)		\
	X(18, flush_cache_global)	\
	X(19, mark_super)		\
	X(20, unmark_super)

/* memory.h: XENMEM_; 23 was add_to_physmap_range at first */
#define HCT_MEMORY_OPS(X) \
	X(0, increase_reservation)	\
	X(1, decrease_reservation)	\
	X(2, maximum_ram_page)		\
	X(3, current_reservation)	\
	X(4, maximum_reservation)	\
	X(5, machphys_mfn_list)		\
	X(6, populate_physmap)		\
	X(7, add_to_physmap)		\
	X(9, memory_map)		\
	X(10, machine_memory_map)	\
	X(11, exchange)			\
	X(12, machphys_mapping)		\
	X(13, set_memory_map)		\
	X(14, maximum_gpfn)		\
	X(15, remove_from_physmap)	\
	X(16, set_pod_target)		\
	X(17, get_pod_target)		\
	X(18, get_sharing_freed_pages)	\
	X(19, get_sharing_shared_pages)	\
	X(20, paging_op)		\
	X(21, access_op)		\
	X(22, sharing_op)		\
	X(23, add_to_physmap_batch)	\
	X(24, claim_pages)		\
	X(25, machphys_compat_mfn_list)	\
	X(26, get_vnumainfo)		\
	X(27, reserved_device_memory_map) \
	X(28, acquire_resource)

/* event_channel.h: EVTCHNOP_ */
#define HCT_EVENT_CHANNEL_OPS(X) \
	X(0, bind_interdomain)		\
	X(1, bind_virq)			\
	X(2, bind_pirq)			\
	X(3, close)			\
	X(4, send)			\
	X(5, status)			\
	X(6, alloc_unbound)		\
	X(7, bind_ipi)			\
	X(8, bind_vcpu)			\
	X(9, unmask)			\
	X(10, reset)			\
	X(11, init_control)		\
	X(12, expand_array)		\
	X(13, set_priority)		\
	X(14, reset_cont)

/* physdev.h: PHYSDEVOP_ */
#define HCT_PHYSDEV_OPS(X) \
	X(5, irq_status_query)		\
	X(6, set_iopl)			\
	X(7, set_iobitmap)		\
	X(8, apic_read)			\
	X(9, apic_write)		\
	X(10, alloc_irq_vector)		\
	X(11, free_irq_vector)		\
	X(12, eoi)			\
	X(13, map_pirq)			\
	X(14, unmap_pirq)		\
	X(15, manage_pci_add)		\
	X(16, manage_pci_remove)	\
	X(17, pirq_eoi_gmfn_v1)		\
	X(19, restore_msi)		\
	X(20, manage_pci_add_ext)	\
	X(21, setup_gsi)		\
	X(23, get_free_pirq)		\
	X(24, pci_mmcfg_reserved)	\
	X(25, pci_device_add)		\
	X(26, pci_device_remove)	\
	X(27, restore_msi_ext)		\
	X(28, pirq_eoi_gmfn_v2)		\
	X(29, dbgp_op)			\
	X(30, prepare_msix)		\
	X(31, release_msix)		\
	X(32, pci_device_reset)

/* version.h: XENVER_ */
#define HCT_XEN_VERSION_OPS(X) \
	X(0, version)			\
	X(1, extraversion)		\
	X(2, compile_info)		\
	X(3, capabilities)		\
	X(4, changeset)			\
	X(5, platform_parameters)	\
	X(6, get_features)		\
	X(7, pagesize)			\
	X(8, guest_handle)		\
	X(9, commandline)		\
	X(10, build_id)			\
	X(11, extraversion2)		\
	X(12, capabilities2)		\
	X(13, changeset2)		\
	X(14, commandline2)

/* xen.h: CONSOLEIO_ */
#define HCT_CONSOLE_IO_OPS(X) \
	X(0, write)			\
	X(1, read)

/* xen.h: VMASST_CMD_ */
#define HCT_VM_ASSIST_OPS(X) \
	X(0, enable)			\
	X(1, disable)

/* nmi.h: XENNMI_ */
#define HCT_NMI_OPS(X) \
	X(0, register_callback)		\
	X(1, unregister_callback)

/* callback.h: CALLBACKOP_ */
#define HCT_CALLBACK_OPS(X) \
	X(0, register)			\
	X(1, unregister)

/* hvm/hvm_op.h: HVMOP_; 6 to 8, 14 and 16 to 22 moved to dm_op in Xen 4.9 */
#define HCT_HVM_OPS(X) \
	X(0, set_param)			\
	X(1, get_param)			\
	X(2, set_pci_intx_level)	\
	X(3, set_isa_irq_level)		\
	X(4, set_pci_link_route)	\
	X(5, flush_tlbs)		\
	X(6, track_dirty_vram)		\
	X(7, modified_memory)		\
	X(8, set_mem_type)		\
	X(9, pagetable_dying)		\
	X(10, get_time)			\
	X(11, xentrace)			\
	X(12, set_mem_access)		\
	X(13, get_mem_access)		\
	X(14, inject_trap)		\
	X(15, get_mem_type)		\
	X(16, inject_msi)		\
	X(17, create_ioreq_server)	\
	X(18, get_ioreq_server_info)	\
	X(19, map_io_range_to_ioreq_server) \
	X(20, unmap_io_range_from_ioreq_server) \
	X(21, destroy_ioreq_server)	\
	X(22, set_ioreq_server_state)	\
	X(23, set_evtchn_upcall_vector)	\
	X(24, guest_request_vm_event)	\
	X(25, altp2m)

/* hvm/dm_op.h: XEN_DMOP_ */
#define HCT_DM_OPS(X) \
	X(1, create_ioreq_server)	\
	X(2, get_ioreq_server_info)	\
	X(3, map_io_range_to_ioreq_server) \
	X(4, unmap_io_range_from_ioreq_server) \
	X(5, set_ioreq_server_state)	\
	X(6, destroy_ioreq_server)	\
	X(7, track_dirty_vram)		\
	X(8, set_pci_intx_level)	\
	X(9, set_isa_irq_level)		\
	X(10, set_pci_link_route)	\
	X(11, modified_memory)		\
	X(12, set_mem_type)		\
	X(13, inject_event)		\
	X(14, inject_msi)		\
	X(15, map_mem_type_to_ioreq_server) \
	X(16, remote_shutdown)		\
	X(17, relocate_memory)		\
	X(18, pin_memory_cacheattr)	\
	X(19, set_irq_level)		\
	X(20, nr_vcpus)

/* kexec.h: KEXEC_CMD_kexec_, and KEXEC_CMD_kexec itself */
#define HCT_KEXEC_OPS(X) \
	X(0, kexec)			\
	X(1, load_v1)			\
	X(2, unload_v1)			\
	X(3, get_range)			\
	X(4, load)			\
	X(5, unload)			\
	X(6, status)

/* argo.h: XEN_ARGO_OP_ */
#define HCT_ARGO_OPS(X) \
	X(1, register_ring)		\
	X(2, unregister_ring)		\
	X(3, sendv)			\
	X(4, notify)

/* pmu.h: XENPMU_ */
#define HCT_XENPMU_OPS(X) \
	X(0, mode_get)			\
	X(1, mode_set)			\
	X(2, feature_get)		\
	X(3, feature_set)		\
	X(4, init)			\
	X(5, finish)			\
	X(6, lvtpc_set)			\
	X(7, flush)

/* hypfs.h: XEN_HYPFS_OP_ */
#define HCT_HYPFS_OPS(X) \
	X(0, get_version)		\
	X(1, read)			\
	X(2, write_contents)

/* arch-x86/xen-mca.h: XEN_MC_ */
#define HCT_MCA_OPS(X) \
	X(1, fetch)			\
	X(2, notifydomain)		\
	X(3, physcpuinfo)		\
	X(4, msrinject)			\
	X(5, mceinject)			\
	X(6, inject_v2)

/* tmem.h: TMEM_; gone since Xen 4.13 */
#define HCT_TMEM_OPS(X) \
	X(0, control)			\
	X(1, new_pool)			\
	X(2, destroy_pool)		\
	X(3, new_page)			\
	X(4, put_page)			\
	X(5, get_page)			\
	X(6, flush_page)		\
	X(7, flush_object)		\
	X(8, read)			\
	X(9, write)			\
	X(10, xchg)			\
	X(101, auth)			\
	X(102, restore_new)

/* xsm/flask_op.h: FLASK_ */
#define HCT_XSM_OPS(X) \
	X(1, load)			\
	X(2, getenforce)		\
	X(3, setenforce)		\
	X(4, context_to_sid)		\
	X(5, sid_to_context)		\
	X(6, access)			\
	X(7, create)			\
	X(8, relabel)			\
	X(9, user)			\
	X(10, policyvers)		\
	X(11, getbool)			\
	X(12, setbool)			\
	X(13, commitbools)		\
	X(14, mls)			\
	X(15, disable)			\
	X(16, getavc_threshold)		\
	X(17, setavc_threshold)		\
	X(18, avc_hashstats)		\
	X(19, avc_cachestats)		\
	X(20, member)			\
	X(21, add_ocontext)		\
	X(22, del_ocontext)		\
	X(23, get_peer_sid)		\
	X(24, relabel_domain)		\
	X(25, devicetree_label)

/* platform.h: XENPF_ */
#define HCT_PLATFORM_OPS(X) \
	X(17, settime32)		\
	X(31, add_memtype)		\
	X(32, del_memtype)		\
	X(33, read_memtype)		\
	X(35, microcode_update)		\
	X(39, platform_quirk)		\
	X(48, get_cpu_version)		\
	X(49, efi_runtime_call)		\
	X(50, firmware_info)		\
	X(51, enter_acpi_sleep)		\
	X(52, change_freq)		\
	X(53, getidletime)		\
	X(54, set_processor_pminfo)	\
	X(55, get_cpuinfo)		\
	X(56, cpu_online)		\
	X(57, cpu_offline)		\
	X(58, cpu_hotadd)		\
	X(59, mem_hotadd)		\
	X(60, core_parking)		\
	X(61, resource_op)		\
	X(62, settime64)		\
	X(63, get_symbol)		\
	X(64, get_dom0_console)		\
	X(65, get_ucode_revision)	\
	X(66, microcode_update2)

/* sysctl.h: XEN_SYSCTL_ */
#define HCT_SYSCTL_OPS(X) \
	X(1, readconsole)		\
	X(2, tbuf_op)			\
	X(3, physinfo)			\
	X(4, sched_id)			\
	X(5, perfc_op)			\
	X(6, getdomaininfolist)		\
	X(7, debug_keys)		\
	X(8, getcpuinfo)		\
	X(9, availheap)			\
	X(10, get_pmstat)		\
	X(11, cpu_hotplug)		\
	X(12, pm_op)			\
	X(14, page_offline_op)		\
	X(15, lockprof_op)		\
	X(16, cputopoinfo)		\
	X(17, numainfo)			\
	X(18, cpupool_op)		\
	X(19, scheduler_op)		\
	X(20, coverage_op)		\
	X(21, psr_cmt_op)		\
	X(22, pcitopoinfo)		\
	X(23, psr_alloc)		\
	X(24, tmem_op)			\
	X(25, get_cpu_levelling_caps)	\
	X(26, get_cpu_featureset)	\
	X(27, livepatch_op)		\
	X(28, set_parameter)		\
	X(29, get_cpu_policy)		\
	X(30, dt_overlay)

/* domctl.h: XEN_DOMCTL_; 23 was arch_setup at first, 56 mem_event_op */
#define HCT_DOMCTL_OPS(X) \
	X(1, createdomain)		\
	X(2, destroydomain)		\
	X(3, pausedomain)		\
	X(4, unpausedomain)		\
	X(5, getdomaininfo)		\
	X(6, getmemlist)		\
	X(7, getpageframeinfo)		\
	X(8, getpageframeinfo2)		\
	X(9, setvcpuaffinity)		\
	X(10, shadow_op)		\
	X(11, max_mem)			\
	X(12, setvcpucontext)		\
	X(13, getvcpucontext)		\
	X(14, getvcpuinfo)		\
	X(15, max_vcpus)		\
	X(16, scheduler_op)		\
	X(17, setdomainhandle)		\
	X(18, setdebugging)		\
	X(19, irq_permission)		\
	X(20, iomem_permission)		\
	X(21, ioport_permission)	\
	X(22, hypercall_init)		\
	X(23, soft_reset_cont)		\
	X(24, settimeoffset)		\
	X(25, getvcpuaffinity)		\
	X(26, real_mode_area)		\
	X(27, resumedomain)		\
	X(28, sendtrigger)		\
	X(29, subscribe)		\
	X(33, gethvmcontext)		\
	X(34, sethvmcontext)		\
	X(35, set_address_size)		\
	X(36, get_address_size)		\
	X(37, assign_device)		\
	X(38, bind_pt_irq)		\
	X(39, memory_mapping)		\
	X(40, ioport_mapping)		\
	X(41, pin_mem_cacheattr)	\
	X(42, set_ext_vcpucontext)	\
	X(43, get_ext_vcpucontext)	\
	X(44, set_opt_feature)		\
	X(45, test_assign_device)	\
	X(46, set_target)		\
	X(47, deassign_device)		\
	X(48, unbind_pt_irq)		\
	X(49, set_cpuid)		\
	X(50, get_device_group)		\
	X(51, set_machine_address_size)	\
	X(52, get_machine_address_size)	\
	X(53, suppress_spurious_page_faults) \
	X(54, debug_op)			\
	X(55, gethvmcontext_partial)	\
	X(56, vm_event_op)		\
	X(57, mem_sharing_op)		\
	X(58, disable_migrate)		\
	X(59, gettscinfo)		\
	X(60, settscinfo)		\
	X(61, getpageframeinfo3)	\
	X(62, setvcpuextstate)		\
	X(63, getvcpuextstate)		\
	X(64, set_access_required)	\
	X(65, audit_p2m)		\
	X(66, set_virq_handler)		\
	X(67, set_broken_page_p2m)	\
	X(68, setnodeaffinity)		\
	X(69, getnodeaffinity)		\
	X(70, set_max_evtchn)		\
	X(71, cacheflush)		\
	X(72, get_vcpu_msrs)		\
	X(73, set_vcpu_msrs)		\
	X(74, setvnumainfo)		\
	X(75, psr_cmt_op)		\
	X(77, monitor_op)		\
	X(78, psr_alloc)		\
	X(79, soft_reset)		\
	X(80, set_gnttab_limits)	\
	X(81, vuart_op)			\
	X(82, get_cpu_policy)		\
	X(83, set_cpu_policy)		\
	X(84, vmtrace_op)		\
	X(85, get_paging_mempool_size)	\
	X(86, set_paging_mempool_size)	\
	X(87, dt_overlay)		\
	X(88, gsi_permission)		\
	X(89, set_llc_colors)		\
	X(90, get_domain_state)		\
	X(1000, gdbsx_guestmemio)	\
	X(1001, gdbsx_pausevcpu)	\
	X(1002, gdbsx_unpausevcpu)	\
	X(1003, gdbsx_domstatus)

#endif /* HCTRACE_SUBOPS_H */
